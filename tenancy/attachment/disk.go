package attachment

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"
	"time"

	"github.com/google/uuid"
)

// Disk keeps content in a folder. Several processes may share it.
type Disk struct{ root *os.Root }

const (
	partFolder = "part"         // content that is being written
	partLife   = 24 * time.Hour // after which nobody writes it any more
)

// NewDisk returns the store in a folder, which is made when it is not there.
func NewDisk(folder string) (*Disk, error) {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, fmt.Errorf("making the folder of files: %w", err)
	}
	root, err := os.OpenRoot(folder)
	if err != nil {
		return nil, fmt.Errorf("opening the folder of files: %w", err)
	}
	if err := root.Mkdir(partFolder, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, errors.Join(fmt.Errorf("preparing the folder of files: %w", err), root.Close())
	}
	return &Disk{root}, nil
}

// Put implements Blobs. Content gets its name when all of it is on the disk.
func (d *Disk) Put(_ context.Context, key string, content Source, size int64) (err error) {
	part := partFolder + "/" + uuid.NewString()
	file, err := d.root.OpenFile(part, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("beginning a file: %w", err)
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, d.root.Remove(part))
		}
	}()
	written, err := io.Copy(file, content)
	if err == nil && written != size {
		err = fmt.Errorf("%d bytes came instead of %d: %w", written, size, io.ErrUnexpectedEOF)
	}
	if err == nil {
		err = file.Sync()
	}
	if err = errors.Join(err, file.Close()); err != nil {
		return fmt.Errorf("writing a file: %w", err)
	}
	folder := path.Dir(key)
	for range 3 { // the last file of the folder may be removed, and the folder with it, between the two
		if err = d.root.Mkdir(folder, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
			return fmt.Errorf("making a folder: %w", err)
		}
		if err = d.root.Rename(part, key); !errors.Is(err, fs.ErrNotExist) {
			break
		}
	}
	if err != nil {
		return fmt.Errorf("naming a file: %w", err)
	}
	return d.syncFolder(folder)
}

// syncFolder makes the names in a folder last.
func (d *Disk) syncFolder(folder string) error {
	opened, err := d.root.Open(folder)
	if err != nil {
		return fmt.Errorf("opening a folder: %w", err)
	}
	if err := errors.Join(opened.Sync(), opened.Close()); err != nil {
		return fmt.Errorf("keeping the names in a folder: %w", err)
	}
	return nil
}

// Open implements Blobs.
func (d *Disk) Open(_ context.Context, key string) (Content, error) {
	file, err := d.root.Open(key)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w: %w", ErrBlobNotFound, err)
	}
	if err != nil {
		return nil, fmt.Errorf("opening a file: %w", err)
	}
	return file, nil
}

// Delete implements Blobs. An organization's folder goes with its last file.
func (d *Disk) Delete(_ context.Context, key string) error {
	if err := d.root.Remove(key); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("removing a file: %w", err)
	}
	if folder, _, nested := strings.Cut(key, "/"); nested {
		_ = d.root.Remove(folder) // refused while there is something in it
	}
	return nil
}

// RemovePartial implements Blobs.
func (d *Disk) RemovePartial(context.Context) error {
	parts, err := fs.ReadDir(d.root.FS(), partFolder)
	if err != nil {
		return fmt.Errorf("listing unfinished files: %w", err)
	}
	var failures []error
	for _, entry := range parts {
		info, err := entry.Info()
		if err != nil || time.Since(info.ModTime()) < partLife {
			continue // finished meanwhile, or under way
		}
		if err := d.root.Remove(partFolder + "/" + entry.Name()); err != nil && !errors.Is(err, fs.ErrNotExist) {
			failures = append(failures, fmt.Errorf("removing an unfinished file: %w", err))
		}
	}
	return errors.Join(failures...)
}

// Close lets go of the folder.
func (d *Disk) Close() error { return d.root.Close() }
