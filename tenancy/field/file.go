package field

import (
	"strings"

	"github.com/rowhouse/rowhouse/internal/naming"
	"github.com/rowhouse/rowhouse/problem"
)

// CleanFileName returns the name of a file without the folders before it.
func CleanFileName(path, name string) (string, error) {
	if cut := strings.LastIndexAny(name, `/\`); cut >= 0 {
		name = name[cut+1:]
	}
	name, err := naming.Clean(path, name)
	if err == nil && strings.Trim(name, ".") == "" {
		return "", problem.Invalid(path, "must be more than dots")
	}
	return name, err
}
