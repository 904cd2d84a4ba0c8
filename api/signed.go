package api

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/go-chi/chi/v5"

	"github.com/rowhouse/rowhouse/api/operation"
	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/authz/signed"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/attachment"
)

func describeSigned(op *operation.Operation, id, summary, description string, ok object) object {
	responses := object{"200": ok}
	for _, status := range problemStatuses(op, bind(op)) {
		responses[fmt.Sprint(status)] = object{"$ref": "#/components/responses/" + problemName(status)}
	}
	return object{
		"operationId": id,
		"summary":     summary,
		"description": description,
		"tags":        []string{op.Tag()},
		"security":    []object{}, // the address is the permission
		"parameters": []object{
			{"name": "token", "in": "path", "required": true, "schema": object{"type": "string"}},
		},
		"responses": responses,
	}
}

func describeSend(d *description) object {
	out := describeSigned(operation.CreateUpload, "send_upload", "Send a file to an upload address.",
		"The address is that of create_upload. The body is the content; its Content-Type is ignored. An address takes "+
			"one file, and ends with the credential with which it was made.",
		object{"description": "Success.", "content": object{"application/json": object{"schema": fileSchema(d)}}})
	out["requestBody"] = object{"required": true, "content": object{"*/*": object{
		"schema": object{"type": "string", "format": "binary", "maxLength": d.limits.File},
	}}}
	return out
}

func describeFetch(d *description) object {
	return describeSigned(operation.CreateDownload, "fetch_download", "Fetch an export from a download address.",
		"The address is that of create_download. It ends with the credential with which it was made.", object{
			"description": "CSV (RFC 4180) in UTF-8. The first line names the fields. A connection that ends before " +
				"its last chunk is an export that failed.",
			"content": object{"text/csv": object{"schema": object{"type": "string"}}},
		})
}

// admitSigned returns the request of a signed address, within the rate of its credential.
func (s *server) admitSigned(
	w http.ResponseWriter, r *http.Request, purpose signed.Purpose,
) (operation.Request, *signed.Call, error) {
	if err := checkQueryParameters(r); err != nil {
		return operation.Request{}, nil, err
	}
	call, err := s.Deps.Signed.Open(purpose, chi.URLParam(r, "token"))
	if err != nil {
		return operation.Request{}, nil, err
	}
	principal, err := s.Limit.Admit(w.Header(), r, func(r *http.Request) (*authz.Principal, error) {
		return s.Deps.Signed.Principal(r.Context(), call)
	})
	return operation.Request{
		Principal: principal, Raw: call.Input, ID: problem.AssignedRequestID(w), At: time.Now(),
		Again: func(ctx context.Context) (*authz.Principal, error) { return s.Deps.Signed.Principal(ctx, call) },
	}, call, err
}

// send stores the file that is sent to a signed address.
func (s *server) send() http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		refuse := func(err error) {
			w.Header().Set("Connection", "close") // the rest of the body need not be read
			WriteProblem(w, r, err)
		}
		request, call, err := s.admitSigned(w, r, signed.Upload)
		if err != nil {
			refuse(err)
			return
		}
		upload, err := operation.OpenUpload(call)
		if err != nil {
			refuse(err)
			return
		}
		size := r.ContentLength
		switch {
		case size > s.Deps.Files.Limits().File:
			refuse(attachment.TooLarge(s.Deps.Files.Limits().File))
			return
		case upload.Size > 0 && size >= 0 && size != upload.Size:
			refuse(problem.Invalid("", "The address was made for a file of %d bytes, and this one has %d.", upload.Size,
				size).WithCode(problem.CodeOtherSize))
			return
		case upload.Size > 0:
			size = upload.Size
		}
		body, err := s.receiveFile(w, r, request, upload.Table, attachment.Upload{
			ID: upload.ID, Name: upload.Name, Size: size,
		})
		if err != nil {
			refuse(err)
			return
		}
		writeFile(w, body)
	}
}

// fetch streams the export of a signed address.
func (s *server) fetch() http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		request, _, err := s.admitSigned(w, r, signed.Download)
		if err == nil {
			err = s.stream(w, r, request, false)
		}
		if err != nil {
			WriteProblem(w, r, err)
		}
	}
}
