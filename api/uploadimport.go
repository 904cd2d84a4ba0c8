package api

import (
	"context"
	"fmt"
	"net/http"
	"net/url"

	"github.com/go-chi/chi/v5"

	"github.com/rowhouse/rowhouse/api/operation"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/attachment"
)

func describeUploadImport(d *description) object {
	op := operation.ImportBase
	responses := object{"200": object{
		"description": "The file is stored for a day.",
		"content":     object{"application/json": object{"schema": fileSchema(d)}},
	}}
	for _, status := range problemStatuses(op, bind(op)) {
		responses[fmt.Sprint(status)] = object{"$ref": "#/components/responses/" + problemName(status)}
	}
	text := object{"type": "string", "minLength": 1, "maxLength": 1000}
	return object{
		"operationId": "upload_import",
		"summary":     "Upload a file for an import into a new table.",
		"description": "The body is the content; its Content-Type is ignored. import_base takes the id as file.",
		"tags":        []string{op.Tag()},
		"parameters": []object{
			{"name": "baseId", "in": "path", "required": true, "schema": object{"type": "string"}},
			{"name": "name", "in": "query", "required": true, "schema": text},
		},
		"requestBody": object{"required": true, "content": object{"*/*": object{
			"schema": object{"type": "string", "format": "binary", "maxLength": d.limits.File},
		}}},
		"responses":        responses,
		"x-required-scope": op.Scope,
		"x-required-role":  op.RequiredRole(),
	}
}

// uploadImport stores the body of a request as a file of a base.
func (s *server) uploadImport() http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if r.ContentLength > s.Deps.Files.Limits().File {
			s.writeUploadError(w, r, s.Deps.Files.TooLarge())
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
		base, err := url.PathUnescape(chi.URLParam(r, "baseId"))
		if err != nil {
			s.writeUploadError(w, r, problem.NotFound("base", chi.URLParam(r, "baseId")))
			return
		}
		in := attachment.Upload{Name: name, Size: r.ContentLength}
		body, err := s.receive(w, r, func(ctx context.Context, content contentOf) ([]byte, error) {
			return operation.UploadForImport(ctx, s.Deps, request, base, in, content)
		})
		if err != nil {
			s.writeUploadError(w, r, err)
			return
		}
		writeFile(w, body)
	}
}
