package main

import (
	"fmt"
	"os"

	"github.com/rowhouse/rowhouse/tenancy/transfer"
)

// sheetCommand reads a spreadsheet for an import; see transfer.RunSheetReader.
type sheetCommand struct {
	Name string `arg:"" optional:""`
}

// Run implements the command.
func (c *sheetCommand) Run(to streams) error { return transfer.RunSheetReader(to.out, c.Name) }

// sheetReader is the command that reads a spreadsheet.
func sheetReader() ([]string, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("finding this program: %w", err)
	}
	return []string{program, "sheet"}, nil
}
