package main

import (
	"fmt"
	"os"

	"github.com/rowhouse/rowhouse/tenancy/transfer/convert"
)

// convertCommand makes CSV of a file for an import; see convert.Serve.
type convertCommand struct {
	Form string `arg:""`
	Part string `arg:"" optional:""`
}

// Run implements the command.
func (c *convertCommand) Run(to streams) error { return convert.Serve(to.out, c.Form, c.Part) }

// converter converts files by this program.
func converter() (convert.Converter, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("finding this program: %w", err)
	}
	return convert.Converter{program, "convert"}, nil
}
