package operation

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"io"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/attachment"
)

// File is an uploaded file, as cells show it.
type File struct {
	ID           string `json:"id"`
	Name         string `json:"name"`
	Size         int64  `json:"size"`
	Type         string `json:"type"`
	Width        int    `json:"width,omitzero"`
	Height       int    `json:"height,omitzero"`
	URL          string `json:"url"`
	ThumbnailURL string `json:"thumbnailUrl,omitzero"`
}

func (c *Call) file(f *attachment.File) File {
	link := func(thumbnail bool) string {
		return string(c.Links.AppendLink(nil, c.Target.Org, f.ID, f.Name, thumbnail))
	}
	out := File{
		ID:     f.PublicID(),
		Name:   f.Name,
		Size:   f.Size,
		Type:   f.Type,
		Width:  f.Width,
		Height: f.Height,
		URL:    link(false),
	}
	if f.HasThumbnail() {
		out.ThumbnailURL = link(true)
	}
	return out
}

// CreateAttachment stores a small file that the request contains as base64.
var CreateAttachment = New(Def{
	Name: "create_attachment", Method: "POST", Path: "/tables/{tableId}/attachments", Title: "Upload file",
	Summary: "Upload a file of up to 1 MB for use in records of the table.",
	Description: "Returns its id; then write [{id}] to an attachment field. For a larger file, or one that is not " +
		"text, use create_upload.",
	Records:  WritesRecords,
	Scope:    authz.DataWrite,
	Unlogged: true,
}, func(ctx context.Context, c *Call, in struct {
	TableIn
	Name    string `json:"name" minLength:"1" maxLength:"1000"`
	Content string `json:"content" maxLength:"1400000" jsonschema:"base64"`
},
) (File, error) {
	content, err := base64.StdEncoding.DecodeString(in.Content)
	if err != nil {
		return File{}, problem.Invalid("content", "is not base64 (RFC 4648, section 4)")
	}
	return c.storeFile(ctx, attachment.Upload{
		Name:    in.Name,
		Size:    int64(len(content)),
		Content: bytes.NewReader(content),
	})
})

func (c *Call) storeFile(ctx context.Context, in attachment.Upload) (File, error) {
	in.Turn = c.turn
	about := c.Target.ID
	if in.Import && c.Target.Table != nil { // so that no record can have it
		about = c.Target.Base
	}
	f, err := c.Files.Receive(ctx, c.Target.Org, c.Principal.Person, about, in)
	if err != nil {
		return File{}, err
	}
	return c.file(&f), nil
}

// Upload is CreateAttachment for content that arrives as a stream, with the same checks. It takes
// as long as the content does; the caller limits that. It ignores Raw of the request. content opens
// the stream; its context ends when the caller loses its rights.
func Upload(
	ctx context.Context, deps *Deps, request Request, table string, in attachment.Upload,
	content func(ctx context.Context) io.Reader,
) ([]byte, error) {
	started := time.Now()
	op := CreateAttachment
	ctx, call := deps.newCall(ctx, request.Principal)
	raw, err := uploadInput(table, in.Name)
	if err != nil {
		return nil, err
	}
	request.Raw = raw
	out, err := op.stream(ctx, call, request, in, content)
	err = call.nameless(ctx, err)
	err = whoWent(ctx, err)
	op.observe(ctx, call, request, time.Since(started), err)
	return out, err
}

func (o *Operation) stream(
	ctx context.Context, call *Call, request Request, in attachment.Upload,
	content func(ctx context.Context) io.Reader,
) ([]byte, error) {
	if err := o.authorize(ctx, call, request.Raw); err != nil {
		return nil, err
	}
	ctx, release, err := o.watched(ctx, call, request)
	if err != nil {
		return nil, err
	}
	defer release()
	ctx = call.bindActor(ctx, request, uuid.Nil, request.ownChangeSet())
	in.Content = content(ctx)
	file, err := call.storeFile(ctx, in)
	if err != nil {
		return nil, lost(ctx, err)
	}
	encoded, err := json.Marshal(file)
	if err != nil {
		return nil, fmt.Errorf("encoding a file: %w", err)
	}
	return encoded, nil
}
