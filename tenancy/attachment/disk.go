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

// Disk stores content in a folder. Several processes may share it.
type Disk struct{ root *os.Root }

const (
	partFolder = "part"         // for content that is being written
	partLife   = 24 * time.Hour // age after which a partial file is abandoned
)

// NewDisk returns the store in a folder, which it creates if necessary.
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

// Put implements Blobs. It syncs the content to disk before renaming it to its key.
func (d *Disk) Put(_ context.Context, key string, content Source, size int64) (err error) {
	part := partFolder + "/" + uuid.NewString()
	file, err := d.root.OpenFile(part, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("creating a file: %w", err)
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, d.root.Remove(part))
		}
	}()
	written, err := io.Copy(file, content)
	if err == nil && written != size {
		err = fmt.Errorf("got %d bytes instead of %d: %w", written, size, io.ErrUnexpectedEOF)
	}
	if err == nil {
		err = file.Sync()
	}
	if err = errors.Join(err, file.Close()); err != nil {
		return fmt.Errorf("writing a file: %w", err)
	}
	folder := path.Dir(key)
	for range 3 { // a concurrent Delete may remove the folder between the two calls
		if err = d.root.Mkdir(folder, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
			return fmt.Errorf("making a folder: %w", err)
		}
		if err = d.root.Rename(part, key); !errors.Is(err, fs.ErrNotExist) {
			break
		}
	}
	if err != nil {
		return fmt.Errorf("renaming a file: %w", err)
	}
	return d.syncFolder(folder)
}

// syncFolder syncs the directory entries of a folder to disk.
func (d *Disk) syncFolder(folder string) error {
	opened, err := d.root.Open(folder)
	if err != nil {
		return fmt.Errorf("opening a folder: %w", err)
	}
	if err := errors.Join(opened.Sync(), opened.Close()); err != nil {
		return fmt.Errorf("syncing a folder: %w", err)
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

// Delete implements Blobs. It removes the organization's folder with the last file in it.
func (d *Disk) Delete(_ context.Context, key string) error {
	if err := d.root.Remove(key); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("removing a file: %w", err)
	}
	if folder, _, nested := strings.Cut(key, "/"); nested {
		_ = d.root.Remove(folder) // fails while the folder is not empty
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
			continue // completed meanwhile, or still being written
		}
		if err := d.root.Remove(partFolder + "/" + entry.Name()); err != nil && !errors.Is(err, fs.ErrNotExist) {
			failures = append(failures, fmt.Errorf("removing an unfinished file: %w", err))
		}
	}
	return errors.Join(failures...)
}

// Close closes the folder.
func (d *Disk) Close() error { return d.root.Close() }
