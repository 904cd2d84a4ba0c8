package api

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/google/jsonschema-go/jsonschema"

	"github.com/rowhouse/rowhouse/api/operation"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/attachment"
)

// Time limits of an upload: in total, for each read of the body, and for storing the content.
const (
	uploadTimeout = 30 * time.Minute
	readTimeout   = 30 * time.Second
	storeTimeout  = 5 * time.Minute
)

// An endpoint transfers bytes or a stream instead of JSON, so it is not an operation. It authorizes
// callers through an operation.
type endpoint struct {
	method, path, name string
	describe           func(d *description) object
	handle             func(s *server) http.HandlerFunc
}

// endpoints lists the endpoints below Prefix that are not in the catalogue.
var endpoints = []endpoint{
	{http.MethodPost, "/tables/{tableId}/uploads", "upload_file", describeUpload, (*server).upload},
	{http.MethodPost, "/bases/{baseId}/uploads", "upload_import", describeUploadImport, (*server).uploadImport},
	{
		http.MethodPost, "/tables/{tableId}/imports/uploads", "upload_table_import", describeUploadTableImport,
		(*server).uploadTableImport,
	},
	{
		http.MethodPost, "/workspaces/{workspaceId}/uploads", "upload_archive", describeUploadArchive,
		(*server).uploadArchive,
	},
	{http.MethodGet, "/uploads", "get_upload_limits", describeLimits, (*server).uploadLimits},
	{http.MethodGet, "/bases/{baseId}/live", "watch_base", describeLive, (*server).live},
	{http.MethodGet, "/tables/{tableId}/records/export", "stream_records", describeExport, (*server).export},
	{http.MethodPut, "/uploads/{token}", "send_upload", describeSend, (*server).send},
	{http.MethodGet, "/downloads/{token}", "fetch_download", describeFetch, (*server).fetch},
}

func fileSchema(d *description) *jsonschema.Schema {
	return d.parts.Refer(operation.CreateAttachment.NamedOutput())
}

func describeUpload(d *description) object {
	op := operation.CreateAttachment
	responses := object{"200": object{
		"description": "The file is stored for a day, and after that as long as a record contains it.",
		"content":     object{"application/json": object{"schema": fileSchema(d)}},
	}}
	for _, status := range problemStatuses(op, bind(op)) {
		responses[fmt.Sprint(status)] = object{"$ref": "#/components/responses/" + problemName(status)}
	}
	return object{
		"operationId": "upload_file",
		"summary":     "Upload a file for use in records of the table.",
		"tags":        []string{op.Tag()},
		"description": "The body is the content; its Content-Type is ignored. Then write [{\"id\": " +
			"…}] to an attachment field of the table.",
		"parameters": []object{
			{"name": "tableId", "in": "path", "required": true, "schema": object{"type": "string"}},
			{
				"name":     "name",
				"in":       "query",
				"required": true,
				"schema":   object{"type": "string", "minLength": 1, "maxLength": 1000},
			},
		},
		"requestBody": object{"required": true, "content": object{"*/*": object{
			"schema": object{"type": "string", "format": "binary", "maxLength": d.limits.File},
		}}},
		"responses":        responses,
		"x-required-scope": op.Scope,
		"x-required-role":  op.RequiredRole(),
	}
}

func describeLimits(d *description) object {
	return object{
		"operationId": "get_upload_limits",
		"summary":     "Get the limits of file uploads.",
		"tags":        []string{"attachments"},
		"security":    []object{},
		"responses": object{
			"400": object{"$ref": "#/components/responses/" + problemName(http.StatusBadRequest)},
			"200": object{"description": "Success.", "content": object{"application/json": object{"schema": object{
				"type": "object", "required": []string{"maxBytes", "maxImportBytes", "types"}, "properties": object{
					"maxBytes":       object{"type": "integer", "description": "maximum size of a file"},
					"maxImportBytes": object{"type": "integer", "description": "maximum size of a file for an import"},
					"types": object{
						"type":        "array",
						"items":       object{"type": "string"},
						"description": "accepted media types, such as image/*; empty means all",
					},
				},
			}}}},
		},
	}
}

func (s *server) uploadLimits() http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if err := checkQueryParameters(r); err != nil {
			s.writeError(w, r, err)
			return
		}
		limits := s.Deps.Files.Limits()
		types := limits.Types
		if types == nil {
			types = []string{}
		}
		writeJSON(w, object{"maxBytes": limits.File, "maxImportBytes": limits.Import, "types": types})
	}
}

// upload stores a file. It rejects a file whose Content-Length is too large before doing anything
// else. The content is streamed and never kept in memory as a whole.
func (s *server) upload() http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if r.ContentLength > s.Deps.Files.Limits().File {
			s.writeUploadError(w, r, attachment.TooLarge(s.Deps.Files.Limits().File))
			return
		}
		request, err := s.admit(w, r)
		if err != nil {
			s.writeUploadError(w, r, err)
			return
		}
		body, err := s.receiveUpload(w, r, request)
		if err != nil {
			s.writeUploadError(w, r, err)
			return
		}
		writeFile(w, body)
	}
}

// writeFile responds with the stored file.
func writeFile(w http.ResponseWriter, body []byte) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	_, _ = w.Write(body) // the client may have disconnected
}

func (s *server) receiveUpload(w http.ResponseWriter, r *http.Request, request operation.Request) ([]byte, error) {
	name, err := uploadName(r)
	if err != nil {
		return nil, err
	}
	table, err := url.PathUnescape(chi.URLParam(r, "tableId"))
	if err != nil {
		return nil, problem.NotFound("table", chi.URLParam(r, "tableId"))
	}
	return s.receiveFile(w, r, request, table, attachment.Upload{Name: name, Size: r.ContentLength})
}

// uploadName returns the name of the file that a request sends.
func uploadName(r *http.Request) (string, error) {
	if err := checkQueryParameters(r, "name"); err != nil {
		return "", err
	}
	names := r.URL.Query()["name"]
	if len(names) != 1 || names[0] == "" {
		return "", problem.Invalid("name", "is required: the name of the file, such as ?name=plan.pdf")
	}
	return names[0], nil
}

// receiveFile stores the body of a request as a file for a table.
func (s *server) receiveFile(
	w http.ResponseWriter, r *http.Request, request operation.Request, table string, in attachment.Upload,
) ([]byte, error) {
	return s.receive(w, r, func(ctx context.Context, content contentOf) ([]byte, error) {
		return operation.Upload(ctx, s.Deps, request, table, in, content)
	})
}

// contentOf opens the body of a request, until its context ends.
type contentOf = func(ctx context.Context) io.Reader

// receive lets store read the body of a request for as long as it keeps arriving.
func (s *server) receive(
	w http.ResponseWriter, r *http.Request,
	store func(ctx context.Context, content contentOf) ([]byte, error),
) ([]byte, error) {
	ctx, cancel := context.WithTimeout(r.Context(), uploadTimeout)
	defer cancel()
	control := http.NewResponseController(w)
	// The server's default deadlines are too short for an upload.
	if err := control.SetWriteDeadline(time.Now().Add(uploadTimeout + time.Minute)); err != nil &&
		!errors.Is(err, http.ErrNotSupported) {
		return nil, err
	}
	return store(ctx, func(ctx context.Context) io.Reader {
		return &deadlineReader{ctx: ctx, body: r.Body, control: control}
	})
}

// checkQueryParameters rejects an invalid query string and unknown parameters.
func checkQueryParameters(r *http.Request, valid ...string) error {
	query, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return problem.Invalid("",
			"The query string is invalid: it contains a semicolon, or a %% without two hexadecimal digits after it.")
	}
	for given := range query {
		if !slices.Contains(valid, given) {
			return problem.Invalid(given, "is not a query parameter here%s; the valid ones are %s",
				problem.DidYouMean(given, valid), problem.List(valid))
		}
	}
	return nil
}

// writeUploadError responds with an error and closes the connection, so that the rest of the body
// need not be read.
func (s *server) writeUploadError(w http.ResponseWriter, r *http.Request, err error) {
	w.Header().Set("Connection", "close")
	s.writeError(w, r, err)
}

// A deadlineReader extends the read deadline before each read, so that an upload may be slow as
// long as it makes progress. A read ends with its context.
type deadlineReader struct {
	ctx     context.Context //nolint:containedctx // A body is read within its request.
	body    io.Reader
	control *http.ResponseController
}

func (p *deadlineReader) Read(b []byte) (int, error) {
	if err := p.ctx.Err(); err != nil {
		return 0, err
	}
	if err := p.wait(readTimeout); err != nil {
		return 0, err
	}
	defer context.AfterFunc(p.ctx, func() { _ = p.control.SetReadDeadline(time.Unix(1, 0)) })()
	n, err := p.body.Read(b)
	if errors.Is(err, io.EOF) {
		// A deadline that expires while the file is being stored would end the request.
		if failure := p.wait(storeTimeout); failure != nil {
			return n, failure
		}
	}
	return n, err //nolint:wrapcheck // an error of the body
}

func (p *deadlineReader) wait(within time.Duration) error {
	err := p.control.SetReadDeadline(time.Now().Add(within))
	if errors.Is(err, http.ErrNotSupported) {
		return nil
	}
	return err
}

func writeJSON(w http.ResponseWriter, v any) {
	encoded, err := json.Marshal(v)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(encoded) // the client may have disconnected
}
