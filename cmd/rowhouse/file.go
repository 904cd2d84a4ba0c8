package main

import (
	"context"
	"fmt"
	"log/slog"
	"net/url"
	"path/filepath"

	"github.com/rowhouse/rowhouse/tenancy/attachment"
)

// fileConfig configures the storage of files in records.
type fileConfig struct {
	AttachmentURL            string   `name:"attachment-url" env:"ATTACHMENT_URL" help:"Storage for files in records: s3://KEY:SECRET@host/bucket?region=NAME, or file:///folder that all processes share. Without it, files cannot be uploaded." placeholder:"URL"`
	AttachmentMB             int64    `name:"attachment-mb" env:"ATTACHMENT_MB" default:"25" help:"Maximum size of a file, in MB."`
	AttachmentOrganizationMB int64    `name:"attachment-organization-mb" env:"ATTACHMENT_ORGANIZATION_MB" default:"10240" help:"Maximum size of all files of one organization, in MB; 0 for no limit."`
	AttachmentTypes          []string `name:"attachment-types" env:"ATTACHMENT_TYPES" help:"Accepted media types, comma-separated, such as image/*,application/pdf; all if not set." placeholder:"TYPE"`
}

const (
	defaultFileMB   = 25
	maxFileMB       = 5 << 10
	exampleFilesURL = "s3://KEY:SECRET@s3.eu-west-1.amazonaws.com/rowhouse-files?region=eu-west-1"
)

func (c *fileConfig) check() error {
	u, err := url.Parse(c.AttachmentURL)
	if c.AttachmentURL != "" && (err != nil || u.Scheme != "file" && u.Scheme != "s3" && u.Scheme != "s3+http") {
		return invalidError(
			"ATTACHMENT_URL",
			"a URL with the scheme s3, s3+http or file, in which a key's special characters are percent-encoded",
			exampleFilesURL,
		)
	}
	if c.AttachmentMB < 0 || c.AttachmentMB > maxFileMB || c.AttachmentMB == 0 && c.AttachmentURL != "" {
		return invalidError("ATTACHMENT_MB", fmt.Sprintf("a number from 1 to %d", maxFileMB), "25")
	}
	if c.AttachmentOrganizationMB < 0 {
		return invalidError("ATTACHMENT_ORGANIZATION_MB", "a number from 0", "10240")
	}
	limits := c.fileLimits()
	if pattern := limits.Check(); pattern != "" {
		return invalidError("ATTACHMENT_TYPES", fmt.Sprintf("media types, and not %q", pattern),
			"image/*,application/pdf")
	}
	return nil
}

func (c *fileConfig) fileLimits() attachment.Limits {
	return attachment.Limits{
		File:         c.AttachmentMB << 20,
		Organization: c.AttachmentOrganizationMB << 20,
		Types:        c.AttachmentTypes,
	}
}

// blobs opens the file storage, or returns nil if none is configured.
func (c *fileConfig) blobs(ctx context.Context, log *slog.Logger) (attachment.Blobs, error) {
	if c.AttachmentURL == "" {
		log.WarnContext(ctx, "ATTACHMENT_URL is not set: files cannot be uploaded")
		return nil, nil //nolint:nilnil // file storage is optional
	}
	blobs, err := attachment.OpenBlobs(ctx, c.AttachmentURL)
	if err != nil {
		return nil, fmt.Errorf("ATTACHMENT_URL: %w", err)
	}
	return blobs, nil
}

// folderURL returns the ATTACHMENT_URL of a folder.
func folderURL(folder string) (string, error) {
	absolute, err := filepath.Abs(folder)
	if err != nil {
		return "", fmt.Errorf("finding the folder of files: %w", err)
	}
	return (&url.URL{Scheme: "file", Path: absolute}).String(), nil
}
