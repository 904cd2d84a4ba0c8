package api

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"time"

	"golang.org/x/sync/semaphore"

	"github.com/rowhouse/rowhouse/api/operation"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/record"
)

const (
	previewTimeout = 10 * time.Minute
	// maxForm is how large the members of a preview's input may be, in bytes.
	maxForm = 1 << 20
	// previewStep is how much of a file is received before more memory is asked for, in bytes.
	previewStep = 1 << 20
)

// previewMemory is what all files that are being previewed in this process may occupy together, in
// bytes. A file takes as much as has arrived of it.
var previewMemory = semaphore.NewWeighted(3 * record.MaxPreview)

func describePreview(d *description) object {
	op := operation.PreviewImport
	responses := object{"200": object{
		"description": "Success.",
		"content":     object{"application/json": object{"schema": d.parts.Refer(op.NamedOutput())}},
	}}
	for _, status := range problemStatuses(op, bind(op)) {
		responses[fmt.Sprint(status)] = object{"$ref": "#/components/responses/" + problemName(status)}
	}
	form := d.parts.Refer(op.NamedInput())
	delete(form.Properties, "content")
	form.Required = nil
	return object{
		"operationId": "preview_file",
		"summary":     "Say how a file of CSV or TSV is read, and propose a type for each column.",
		"description": "What preview_import does, for files up to 50 MB.",
		"tags":        []string{op.Tag()},
		"requestBody": object{"required": true, "content": object{"multipart/form-data": object{"schema": object{
			"type": "object", "required": []string{"file"}, "properties": object{
				"form": object{
					"type": "string", "contentMediaType": "application/json", "contentSchema": form,
					"description": "the other members of the input of preview_import, before the file",
				},
				"file": object{"type": "string", "format": "binary", "maxLength": record.MaxPreview},
			},
		}}}},
		"responses":        responses,
		"x-required-scope": op.Scope,
		"x-required-role":  op.RequiredRole(),
	}
}

// previewFile previews a file. It receives the file after it knows the caller, and reserves memory
// as the file arrives.
func (s *server) previewFile() http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		principal, err := s.Limit.Admit(w.Header(), r, s.Authenticate)
		if err == nil {
			err = checkQueryParameters(r)
		}
		if err != nil {
			s.writeUploadError(w, r, err)
			return
		}
		ctx, cancel := context.WithTimeout(r.Context(), previewTimeout)
		defer cancel()
		control := http.NewResponseController(w)
		err = control.SetWriteDeadline(time.Now().Add(previewTimeout + time.Minute))
		if err != nil && !errors.Is(err, http.ErrNotSupported) {
			s.writeUploadError(w, r, err)
			return
		}
		r.Body = io.NopCloser(&deadlineReader{ctx: ctx, body: r.Body, control: control})
		received := &receivedFile{ctx: ctx}
		defer received.release()
		form, err := received.open(r)
		var body []byte
		if err == nil {
			body, err = operation.PreviewFile(ctx, s.Deps, principal, problem.AssignedRequestID(w), form, received.read)
		}
		if err != nil {
			s.writeUploadError(w, r, err)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Cache-Control", "no-store")
		_, _ = w.Write(body) // the client may have disconnected
	}
}

// A receivedFile is a file that arrives in a form.
type receivedFile struct {
	ctx      context.Context //nolint:containedctx // A body is read within its request.
	part     *multipart.Part
	reserved int64
}

// open reads the form up to the file, and returns its members with an empty content.
func (f *receivedFile) open(r *http.Request) ([]byte, error) {
	reader, err := r.MultipartReader()
	if err != nil {
		return nil, problem.Invalid("", "The body must be multipart/form-data with the parts form and file.")
	}
	form := []byte(`{}`)
	for {
		part, err := reader.NextPart()
		if err != nil {
			return nil, problem.Invalid("file", "is required: a part of the form with the bytes of the file")
		}
		switch part.FormName() {
		case "form":
			if form, err = io.ReadAll(io.LimitReader(part, maxForm+1)); err != nil || len(form) > maxForm {
				return nil, problem.Invalid("form", "must be JSON of at most %d bytes", maxForm)
			}
		case "file":
			f.part = part
			return withEmptyContent(form)
		default:
			return nil, problem.Invalid(part.FormName(), "is not a part of this form; the parts are form and file")
		}
	}
}

// withEmptyContent adds the member that the file replaces.
func withEmptyContent(form []byte) ([]byte, error) {
	form = bytes.TrimSpace(form)
	if len(form) < 2 || form[0] != '{' || form[len(form)-1] != '}' {
		return nil, problem.Invalid("form", "must be a JSON object")
	}
	separator := ","
	if len(bytes.TrimSpace(form[1:len(form)-1])) == 0 {
		separator = ""
	}
	return append([]byte(`{"content":"-"`+separator), form[1:]...), nil
}

// read receives the file.
func (f *receivedFile) read() ([]byte, error) {
	var content bytes.Buffer
	for {
		if !previewMemory.TryAcquire(previewStep) {
			return nil, (&problem.Error{
				Kind: problem.KindUnavailable, Code: problem.CodeTooManyLargeBodies, RetryAfter: time.Second,
				Message: "Too many files are being read; try again shortly.",
			})
		}
		f.reserved += previewStep
		n, err := io.CopyN(&content, f.part, previewStep)
		switch {
		case content.Len() > record.MaxPreview:
			return nil, &problem.Error{Kind: problem.KindTooLarge, Message: fmt.Sprintf(
				"The file has more than %d MB; divide it, or import it in parts.", record.MaxPreview>>20)}
		case errors.Is(err, io.EOF):
			if content.Len() == 0 {
				return nil, problem.Invalid("file", "is empty")
			}
			return content.Bytes(), nil
		case err != nil:
			return nil, problem.Invalid("file", "ended after %d bytes", content.Len()+int(n))
		}
	}
}

func (f *receivedFile) release() { previewMemory.Release(f.reserved) }
