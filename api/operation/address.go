package operation

import (
	"context"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/authz/signed"
	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/attachment"
	"github.com/rowhouse/rowhouse/tenancy/organization/audit"
	"github.com/rowhouse/rowhouse/tenancy/record"
)

// Paths of signed addresses, below the base URL; a token follows.
const (
	UploadPath   = "/api/v1/uploads/"
	DownloadPath = "/api/v1/downloads/"
)

// An Address is where bytes are sent or fetched without any other credential. Its bearer can use
// it.
type Address struct {
	Method    string    `json:"method"`
	URL       string    `json:"url" jsonschema:"needs no credential; whoever has it can use it"`
	ExpiresAt time.Time `json:"expiresAt"`
}

// UploadAddress is where a file is sent.
type UploadAddress struct {
	ID string `json:"id" jsonschema:"of the file, once it was sent"`
	Address
	MaxBytes int64 `json:"maxBytes"`
}

// DownloadAddress is where an export is fetched.
type DownloadAddress struct {
	Address
	Total int64 `json:"total" jsonschema:"rows now"`
}

// CreateUpload makes an address to which a file for a table is sent.
var CreateUpload = New(Def{
	Name: "create_upload", Method: "POST", Path: "/tables/{tableId}/uploads/address",
	Title:   "Get an upload address",
	Summary: "Get an address to which a file for the table can be sent without a credential, once, for 15 minutes.",
	Description: "Returns an id and a url: PUT the bytes there, as in curl -T FILE URL, so that a large file need " +
		"not pass through you. The id then stands for the file: import_records takes it as file, and an " +
		"attachment field takes [{id}]. " +
		"The address ends with your credential. For up to 1 MB that you have already, use create_attachment.",
	Records: WritesRecords,
	Scope:   authz.DataWrite, Secret: true,
}, func(ctx context.Context, c *Call, in struct {
	TableIn
	Name string `json:"name" minLength:"1" maxLength:"1000" jsonschema:"of the file, as guests.csv"`
	Size int64  `json:"size,omitzero" min:"1" jsonschema:"bytes; the address then takes no file of another size"`
},
) (UploadAddress, error) {
	if err := c.Files.CheckConfigured(); err != nil {
		return UploadAddress{}, err
	}
	limit := c.Files.Limits().File
	if in.Size > limit {
		return UploadAddress{}, attachment.TooLarge(c.Files.Limits().File)
	}
	file := id.New()
	raw, err := uploadInput(id.Format(id.Table, c.Target.ID), in.Name)
	if err != nil {
		return UploadAddress{}, err
	}
	address, err := c.sign(signed.Upload, UploadPath, "PUT", &signed.Call{
		Operation: CreateAttachment.Name, Input: raw, ID: file, Size: in.Size,
	})
	if err != nil {
		return UploadAddress{}, err
	}
	c.unwritten = true
	err = c.DB.Batch(ctx, c.Target.Org, func(b *pgx.Batch) {
		audit.Record(ctx, b, c.Target.Org, &audit.Event{
			Action: "create_upload", Subject: id.Format(id.Table, c.Target.ID),
			Detail: map[string]any{"attachment": id.Format(id.Attachment, file), "size": in.Size},
		})
	})
	return UploadAddress{ID: id.Format(id.Attachment, file), Address: address, MaxBytes: limit}, err
})

// uploadInput returns the input of an upload, whose content comes as a stream.
func uploadInput(table, name string) ([]byte, error) {
	raw, err := json.Marshal(map[string]string{"tableId": table, "name": name, "content": ""})
	if err != nil {
		return nil, problem.Invalid("name", "must be valid UTF-8")
	}
	return raw, nil
}

// CreateDownload makes an address from which an export can be fetched.
var CreateDownload = New(Def{
	Name: "create_download", Method: "POST", Path: "/tables/{tableId}/records/export/address",
	Title:   "Get a download address",
	Summary: "Get an address from which all records of a table, a view or a filter can be fetched as one CSV file.",
	Description: "Returns a url that needs no credential, for 15 minutes, as in curl -o FILE URL, so that a large " +
		"table need not pass through you. It ends with your credential. To read rows yourself, use export_records or " +
		"query_records.",
	Scope: authz.DataRead, ReadOnly: true, Idempotent: true, Secret: true,
}, func(ctx context.Context, c *Call, in ExportIn) (DownloadAddress, error) {
	request := in.request()
	request.Limit = 1 // report errors of the request now
	out, err := c.Records.Export(ctx, c.actor(), c.Target.ID, record.Export{
		Request: request, MaxBytes: record.MaxExport,
	}, func([]byte) error { return nil })
	if err != nil {
		return DownloadAddress{}, err
	}
	address, err := c.Download(c.Principal, in)
	return DownloadAddress{address, out.Total}, err
})

// Download returns the address of an export for a principal, who must have the rights for it.
func (d *Deps) Download(principal *authz.Principal, in ExportIn) (Address, error) {
	raw, err := json.Marshal(in)
	if err != nil {
		return Address{}, err //nolint:wrapcheck // it came out of JSON
	}
	call := &Call{Deps: d, Principal: principal}
	return call.sign(signed.Download, DownloadPath, "GET", &signed.Call{Operation: ExportRecords.Name, Input: raw})
}

// sign makes an address for a call.
func (c *Call) sign(purpose signed.Purpose, path, method string, call *signed.Call) (Address, error) {
	call.Holder = c.Principal.Holder()
	token, err := c.Signed.Make(purpose, call)
	if err != nil {
		return Address{}, err
	}
	return Address{method, c.BaseURL + path + token, call.Expires}, nil
}

// A SignedUpload is what an upload address says of its file.
type SignedUpload struct {
	Table, Name string
	ID          uuid.UUID
	Size        int64 // 0 for any
}

// OpenUpload decodes the call of an upload address.
func OpenUpload(call *signed.Call) (SignedUpload, error) {
	var in struct {
		TableID string `json:"tableId"`
		Name    string `json:"name"`
	}
	if err := json.Unmarshal(call.Input, &in, json.RejectUnknownMembers(false)); err != nil {
		return SignedUpload{}, err //nolint:wrapcheck // it was made here
	}
	return SignedUpload{in.TableID, in.Name, call.ID, call.Size}, nil
}
