// Package blobtest has the conformance tests of blob stores.
package blobtest

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/tenancy/attachment"
)

// Run runs the conformance tests against a store, which may have other content.
func Run(t *testing.T, blobs attachment.Blobs) {
	t.Run("content is seekable", func(t *testing.T) {
		key := newKey()
		put(t, blobs, key, "content of a file")
		content, err := blobs.Open(t.Context(), key)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = content.Close() }()
		if size, err := content.Seek(0, io.SeekEnd); err != nil || size != int64(len("content of a file")) {
			t.Errorf("the end is at %d, %v", size, err)
		}
		if _, err := content.Seek(11, io.SeekStart); err != nil {
			t.Fatal(err)
		}
		if rest, err := io.ReadAll(content); err != nil || string(rest) != "a file" {
			t.Errorf("read %q, %v", rest, err)
		}
	})
	t.Run("an unused key is not found", func(t *testing.T) {
		if _, err := blobs.Open(t.Context(), newKey()); !errors.Is(err, attachment.ErrBlobNotFound) {
			t.Errorf("Open returns %v", err)
		}
		if err := blobs.Delete(t.Context(), newKey()); err != nil {
			t.Errorf("Delete returns %v", err)
		}
	})
	t.Run("empty content is stored", func(t *testing.T) {
		key := newKey()
		put(t, blobs, key, "")
		if got := read(t, blobs, key); got != "" {
			t.Errorf("read %q", got)
		}
	})
	t.Run("content is replaced and deleted", func(t *testing.T) {
		key := newKey()
		put(t, blobs, key, "a long first content")
		put(t, blobs, key, "second")
		if got := read(t, blobs, key); got != "second" {
			t.Errorf("read %q", got)
		}
		for range 2 {
			if err := blobs.Delete(t.Context(), key); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := blobs.Open(t.Context(), key); !errors.Is(err, attachment.ErrBlobNotFound) {
			t.Errorf("Open returns %v", err)
		}
	})
	t.Run("truncated content is not stored", func(t *testing.T) {
		key := newKey()
		if err := blobs.Put(t.Context(), key, strings.NewReader("short"), 10); err == nil {
			t.Error("5 bytes were accepted for 10")
		}
		if _, err := blobs.Open(t.Context(), key); !errors.Is(err, attachment.ErrBlobNotFound) {
			t.Errorf("Open returns %v", err)
		}
	})
	t.Run("a thumbnail is stored beside its file", func(t *testing.T) {
		key := newKey()
		put(t, blobs, key, "whole")
		put(t, blobs, key+".thumbnail", "small")
		if got := read(t, blobs, key) + read(t, blobs, key+".thumbnail"); got != "wholesmall" {
			t.Errorf("read %q", got)
		}
	})
	t.Run("concurrent puts, reads and deletes", func(t *testing.T) {
		folder := uuid.NewString()
		var all sync.WaitGroup
		for i := range 16 {
			all.Go(func() {
				key, text := folder+"/"+uuid.NewString(), strings.Repeat(fmt.Sprint(i%10), 100_000)
				if err := blobs.Put(t.Context(), key, strings.NewReader(text), int64(len(text))); err != nil {
					t.Error(err)
					return
				}
				if content, err := blobs.Open(t.Context(), key); err != nil {
					t.Error(err)
				} else {
					got, err := io.ReadAll(content)
					if err = errors.Join(err, content.Close()); err != nil || !bytes.Equal(got, []byte(text)) {
						t.Errorf("read %d bytes, %v", len(got), err)
					}
				}
				if err := blobs.Delete(t.Context(), key); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
	})
	t.Run("RemovePartial keeps complete content", func(t *testing.T) {
		key := newKey()
		put(t, blobs, key, "kept")
		if err := blobs.RemovePartial(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := read(t, blobs, key); got != "kept" {
			t.Errorf("read %q", got)
		}
	})
}

func newKey() string { return uuid.NewString() + "/" + uuid.NewString() }

func put(t *testing.T, blobs attachment.Blobs, key, text string) {
	t.Helper()
	if err := blobs.Put(t.Context(), key, strings.NewReader(text), int64(len(text))); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, blobs attachment.Blobs, key string) string {
	t.Helper()
	content, err := blobs.Open(t.Context(), key)
	if err != nil {
		t.Fatal(err)
	}
	got, err := io.ReadAll(content)
	if err := errors.Join(err, content.Close()); err != nil {
		t.Fatal(err)
	}
	return string(got)
}
