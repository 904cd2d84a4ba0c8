package convert_test

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/rowhouse/rowhouse/tenancy/transfer/convert"
)

// TestProcess is the process that converts.
func TestProcess(*testing.T) {
	if os.Getenv("GOMEMLIMIT") == "" || len(os.Args) < 4 {
		return // it is no process of another test
	}
	args := os.Args[len(os.Args)-2:]
	if err := convert.Serve(os.Stdout, args[0], args[1]); err != nil {
		os.Exit(1)
	}
	os.Exit(0)
}

// inProcess converts in a process of its own.
func inProcess() convert.Converter { return convert.Converter{os.Args[0], "-test.run=^TestProcess$"} }

// converted is the CSV of a file, and what the conversion says.
func converted(t *testing.T, by convert.Converter, form string, content []byte) (string, *convert.Result, error) {
	t.Helper()
	return convertedPart(t, by, form, content, "")
}

func convertedPart(
	t *testing.T, by convert.Converter, form string, content []byte, part string,
) (string, *convert.Result, error) {
	t.Helper()
	folder := t.TempDir()
	from, to := file(t, filepath.Join(folder, "from")), file(t, filepath.Join(folder, "to"))
	if _, err := io.Copy(from, bytes.NewReader(content)); err != nil {
		t.Fatal(err)
	}
	if _, err := from.Seek(0, io.SeekStart); err != nil {
		t.Fatal(err)
	}
	result, err := by.Convert(t.Context(), from, to, form, part)
	if err != nil {
		return "", nil, err
	}
	text, err := os.ReadFile(to.Name())
	if err != nil {
		t.Fatal(err)
	}
	return string(text), result, nil
}

func file(t *testing.T, name string) *os.File {
	t.Helper()
	out, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = out.Close() })
	return out
}
