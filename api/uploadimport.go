package api

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"

	"github.com/go-chi/chi/v5"

	"github.com/rowhouse/rowhouse/api/operation"
	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/attachment"
)

func describeUploadImport(d *description) object {
	return describeUploadFor(d, operation.ImportBase, "upload_import", "baseId",
		"Upload a file for an import into a new table.",
		"The body is the content; its Content-Type is ignored. import_base takes the id as file.")
}

func describeUploadTableImport(d *description) object {
	return describeUploadFor(d, operation.ImportTable, "upload_table_import", "tableId",
		"Upload a file for an import into a table.",
		"The body is the content; its Content-Type is ignored. import_table takes the id as file.")
}

func describeUploadArchive(d *description) object {
	return describeUploadFor(d, operation.StartArchiveImport, "upload_archive", "workspaceId",
		"Upload a base archive.",
		"The body is the content; its Content-Type is ignored. start_archive_import takes the id as file.")
}

// describeUploadFor describes the upload of a file that an operation takes.
func describeUploadFor(
	d *description, op *operation.Operation, name, parameter, summary, text string,
) object {
	responses := object{"200": object{
		"description": "The file is stored for a day.",
		"content":     object{"application/json": object{"schema": fileSchema(d)}},
	}}
	for _, status := range problemStatuses(op, bind(op)) {
		responses[fmt.Sprint(status)] = object{"$ref": "#/components/responses/" + problemName(status)}
	}
	return object{
		"operationId": name,
		"summary":     summary,
		"description": text,
		"tags":        []string{op.Tag()},
		"parameters": []object{
			{"name": parameter, "in": "path", "required": true, "schema": object{"type": "string"}},
			{"name": "name", "in": "query", "required": true, "schema": object{
				"type": "string", "minLength": 1, "maxLength": 1000,
			}},
		},
		"requestBody": object{"required": true, "content": object{"*/*": object{
			"schema": object{"type": "string", "format": "binary", "maxLength": d.limits.Import},
		}}},
		"responses":        responses,
		"x-required-scope": op.Scope,
		"x-required-role":  op.RequiredRole(),
	}
}

// uploadImport stores the body of a request as a file of a base.
func (s *server) uploadImport() http.HandlerFunc {
	return s.uploadFor(id.Base, "baseId", operation.UploadForImport)
}

// uploadTableImport stores the body of a request as a file for an import into a table.
func (s *server) uploadTableImport() http.HandlerFunc {
	return s.uploadFor(id.Table, "tableId", operation.UploadForTableImport)
}

// uploadArchive stores the body of a request as a file of a workspace.
func (s *server) uploadArchive() http.HandlerFunc {
	return s.uploadFor(id.Workspace, "workspaceId", operation.UploadArchive)
}

// An uploading stores a file for something that is named by its public id.
type uploading func(
	ctx context.Context, deps *operation.Deps, request operation.Request, target string, in attachment.Upload,
	content func(ctx context.Context) io.Reader,
) ([]byte, error)

// uploadTargets are what the path of an upload names, for errors.
var uploadTargets = map[id.Kind]string{id.Base: "base", id.Table: "table", id.Workspace: "workspace"}

func (s *server) uploadFor(kind id.Kind, parameter string, store uploading) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if limit := s.Deps.Files.Limits().Import; r.ContentLength > limit {
			s.writeUploadError(w, r, attachment.TooLarge(limit))
			return
		}
		request, err := s.admit(w, r)
		if err != nil {
			s.writeUploadError(w, r, err)
			return
		}
		name, err := uploadName(r)
		if err != nil {
			s.writeUploadError(w, r, err)
			return
		}
		target, err := url.PathUnescape(chi.URLParam(r, parameter))
		if err != nil {
			s.writeUploadError(w, r, problem.NotFound(uploadTargets[kind], chi.URLParam(r, parameter)))
			return
		}
		in := attachment.Upload{Name: name, Size: r.ContentLength, Import: true}
		body, err := s.receive(w, r, func(ctx context.Context, content contentOf) ([]byte, error) {
			return store(ctx, s.Deps, request, target, in, content)
		})
		if err != nil {
			s.writeUploadError(w, r, err)
			return
		}
		writeFile(w, body)
	}
}
