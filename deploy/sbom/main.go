// Command sbom lists what a rowhouse binary is made of, as CycloneDX 1.6: the Go modules that the binary itself names, and the
// packages that the web application's lock file names and that end up in it.
//
//	go run ./deploy/sbom bin/rowhouse web/app/package-lock.json > bin/rowhouse.cdx.json
//
// It reads files and asks nobody.
package main

import (
	"cmp"
	"debug/buildinfo"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "sbom:", err)
		os.Exit(1)
	}
}

type component struct {
	Type    string `json:"type"`
	Name    string `json:"name"`
	Version string `json:"version"`
	PURL    string `json:"purl"`
	Hashes  []hash `json:"hashes,omitempty"`
}

type hash struct {
	Algorithm string `json:"alg"`
	Content   string `json:"content"`
}

type document struct {
	Format      string      `json:"bomFormat"`
	SpecVersion string      `json:"specVersion"`
	Version     int         `json:"version"`
	Metadata    metadata    `json:"metadata"`
	Components  []component `json:"components"`
}

type metadata struct {
	Component component `json:"component"`
}

func run(args []string, out io.Writer) error {
	if len(args) != 2 {
		return errors.New("usage: sbom BINARY PACKAGE-LOCK")
	}
	info, err := buildinfo.ReadFile(args[0])
	if err != nil {
		return fmt.Errorf("reading what the binary is built of: %w", err)
	}
	d := document{Format: "CycloneDX", SpecVersion: "1.6", Version: 1, Metadata: metadata{component{
		Type: "application", Name: info.Main.Path, Version: info.Main.Version, PURL: "pkg:golang/" + info.Main.Path + "@" + info.Main.Version,
	}}}
	d.Components = append(d.Components, component{
		Type: "library", Name: "std", Version: strings.TrimPrefix(info.GoVersion, "go"), PURL: "pkg:golang/std@" + strings.TrimPrefix(info.GoVersion, "go"),
	})
	for _, module := range info.Deps {
		if module.Replace != nil {
			module = module.Replace
		}
		d.Components = append(d.Components, component{
			Type: "library", Name: module.Path, Version: module.Version, PURL: "pkg:golang/" + module.Path + "@" + module.Version,
			// Not the hash of a file: that of the module's tree, as go.sum has it.
			Hashes: decode(strings.TrimPrefix(module.Sum, "h1:"), "SHA-256"),
		})
	}
	packages, err := fromLock(args[1])
	if err != nil {
		return err
	}
	d.Components = append(d.Components, packages...)
	encoder := json.NewEncoder(out)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(d); err != nil {
		return fmt.Errorf("writing: %w", err)
	}
	return nil
}

// fromLock lists the packages of a lock file but those that are for development only.
func fromLock(path string) ([]component, error) {
	text, err := os.ReadFile(path) //nolint:gosec // The person who starts it names the file.
	if err != nil {
		return nil, fmt.Errorf("reading the lock file: %w", err)
	}
	var lock struct {
		Packages map[string]struct {
			Version   string `json:"version"`
			Integrity string `json:"integrity"`
			Dev       bool   `json:"dev"`
		} `json:"packages"`
	}
	if err := json.Unmarshal(text, &lock); err != nil {
		return nil, fmt.Errorf("reading the lock file: %w", err)
	}
	var list []component
	for place, p := range lock.Packages {
		at := strings.LastIndex(place, "node_modules/")
		if p.Dev || at < 0 {
			continue
		}
		name := place[at+len("node_modules/"):]
		list = append(list, component{
			Type: "library", Name: name, Version: p.Version, PURL: "pkg:npm/" + strings.Replace(name, "@", "%40", 1) + "@" + p.Version,
			Hashes: decode(strings.TrimPrefix(p.Integrity, "sha512-"), "SHA-512"),
		})
	}
	slices.SortFunc(list, func(a, b component) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Version, b.Version))
	})
	return list, nil
}

func decode(sum, algorithm string) []hash {
	raw, err := base64.StdEncoding.DecodeString(sum)
	if err != nil || len(raw) == 0 {
		return nil
	}
	return []hash{{algorithm, hex.EncodeToString(raw)}}
}
