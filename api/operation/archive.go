package operation

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"time"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/attachment"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/schema"
	"github.com/rowhouse/rowhouse/tenancy/transfer"
	"github.com/rowhouse/rowhouse/tenancy/transfer/archive/template"
)

// StartArchiveImport begins an import of a base archive.
var StartArchiveImport = New(Def{
	Name: "start_archive_import", Method: "POST", Path: "/workspaces/{workspaceId}/archive-imports",
	Title:   "Import a base archive",
	Summary: "Begin a job that makes a new base of a base archive, of this Rowhouse or another one, or of a template.",
	Description: "Give content, or file: the id of POST /workspaces/{workspaceId}/uploads, or template: an id of " +
		"list_templates. The archive is one of export_base. Tables, fields, views, dashboards, records, links and " +
		"files come as they were; people are found by e-mail among the members. Returns the job; get_job has its " +
		"report, with what did not come, and whether counts and hashes are as in the manifest.",
	Scope: authz.SchemaWrite, Accepted: true, Unlogged: true,
}, func(ctx context.Context, c *Call, in struct {
	WorkspaceIn
	File    string `json:"file,omitzero" maxLength:"100" jsonschema:"id of an upload of yours for the workspace"`
	Content string `json:"content,omitzero" maxLength:"4500000" jsonschema:"base64, instead of file"`

	Template string `json:"template,omitzero" maxLength:"100" jsonschema:"id of a template, instead of file"`
	Name     string `json:"name,omitzero" maxLength:"255" jsonschema:"of the new base; default that in the archive"`
},
) (Job, error) {
	request := transfer.ArchiveImport{Workspace: c.Target.ID, Name: in.Name}
	if err := c.mayMakeBase(ctx, c.Target.ID, nil); err != nil {
		return Job{}, err
	}
	given := 0
	for _, one := range []string{in.File, in.Content, in.Template} {
		if one != "" {
			given++
		}
	}
	if given != 1 {
		return Job{}, problem.Invalid("file", "is required, or content, or template, and only one of them")
	}
	if in.File != "" {
		file, err := id.Parse(id.Attachment, in.File)
		if err != nil {
			return Job{}, problem.NotFound("file", in.File)
		}
		request.File = file
	} else {
		content, err := archiveOf(in.Content, in.Template)
		if err != nil {
			return Job{}, err
		}
		file, err := c.Files.Keep(ctx, c.Target.Org, c.Principal.Person, c.Target.ID, "base.zip", "application/zip",
			bytes.NewReader(content))
		if err != nil {
			return Job{}, err
		}
		request.File = file.ID
	}
	return c.begin(ctx, transfer.ImportArchive, request, id.New())
})

// archiveOf is the archive in a request, or of a template.
func archiveOf(content, name string) ([]byte, error) {
	if name == "" {
		archive, err := base64.StdEncoding.DecodeString(content)
		if err != nil {
			return nil, problem.Invalid("content", "is not base64 (RFC 4648, section 4)")
		}
		return archive, nil
	}
	found, err := template.Get(name)
	if err != nil {
		return nil, err
	}
	if found == nil {
		return nil, problem.Invalid("template", "%q is no template%s; the templates are %s", name,
			problem.DidYouMean(name, template.Names), problem.List(template.Names))
	}
	return found.Archive(time.Now())
}

// A TemplateList lists what a base can be made of.
type TemplateList struct {
	Templates []Template `json:"templates"`
}

// Template is a base that is ready to be used.
type Template struct {
	ID          string       `json:"id" jsonschema:"for start_archive_import"`
	Name        string       `json:"name"`
	Description string       `json:"description"`
	Icon        *schema.Icon `json:"icon"`
	Tables      []string     `json:"tables" jsonschema:"their names"`
}

// ListTemplates lists the templates of bases.
var ListTemplates = New(Def{
	Name: "list_templates", Method: "GET", Path: "/templates", Title: "List templates",
	Summary:     "List templates of bases, such as a project tracker, with a few records as examples.",
	Description: "Returns ids for start_archive_import, with names, descriptions and the names of tables.",
	Scope:       authz.None, ReadOnly: true, Idempotent: true, BaseFiltered: true,
}, func(_ context.Context, _ *Call, _ None) (TemplateList, error) {
	out := TemplateList{Templates: []Template{}}
	for _, name := range template.Names {
		found, err := template.Get(name)
		if err != nil {
			return out, err
		}
		one := Template{ID: name, Name: found.Name, Description: found.Description, Icon: &schema.Icon{}}
		if err := json.Unmarshal(found.Icon, one.Icon); err != nil {
			return out, fmt.Errorf("reading the icon of a template: %w", err)
		}
		for _, t := range found.Tables {
			one.Tables = append(one.Tables, t.Name)
		}
		out.Templates = append(out.Templates, one)
	}
	return out, nil
})

// mayMakeBase returns an error unless the caller may make a base with records in a workspace, of which they will be a
// creator. access is that of the base; nil is open.
func (c *Call) mayMakeBase(ctx context.Context, workspace uuid.UUID, access *schema.Access) error {
	if err := c.Principal.RequireScope(authz.DataWrite); err != nil {
		return err
	}
	if c.Principal.Bases != nil { // a workspace is outside every base
		return outsideBasesError()
	}
	if err := c.authorizeOrg(c.Target.Org, authz.SchemaWrite); err != nil {
		return err
	}
	snapshot, err := c.Schema.Fresh(catalog.WithoutCaller(ctx), c.Target.Org)
	if err != nil {
		return err
	}
	made := &schema.Base{Org: c.Target.Org, Workspace: workspace, Access: access}
	if role := snapshot.RoleIn(c.Principal.Subject(c.Target.Org), made); !role.AtLeast(schema.BaseCreator) {
		return problem.Forbidden("You would have the role %s in a base of this workspace, and not %s.", role,
			schema.BaseCreator).WithCode(problem.CodeInsufficientRole)
	}
	return nil
}

// CopyIn says how something is copied.
type CopyIn struct {
	Name    string `json:"name,omitzero" maxLength:"240" jsonschema:"of the copy; default the name and copy"`
	Records *bool  `json:"records,omitzero" jsonschema:"default true; false: the structure alone"`
}

// request is the request of the job.
func (in *CopyIn) request(name string) transfer.ArchiveImport {
	if in.Name != "" {
		name = in.Name
	} else {
		name = copyName(name)
	}
	return transfer.ArchiveImport{Name: name, WithoutRecords: in.Records != nil && !*in.Records}
}

// copyName is what a copy is called unless somebody says otherwise.
func copyName(name string) string {
	const suffix = " copy"
	if runes := []rune(name); len(runes) > 240 {
		name = string(runes[:240])
	}
	return name + suffix
}

// DuplicateBase begins the copy of a base.
var DuplicateBase = New(Def{
	Name: "duplicate_base", Method: "POST", Path: "/bases/{baseId}/duplicate", Title: "Duplicate base",
	Summary: "Begin a job that makes a copy of a base.",
	Description: "With its tables, fields, views, dashboards, permissions, and unless records is false its records " +
		"and files. Without comments, history, shares, keys and webhooks. Returns the job, whose baseId becomes that " +
		"of the copy.",
	Scope: authz.SchemaWrite, Accepted: true, Unlogged: true,
}, func(ctx context.Context, c *Call, in struct {
	BaseIn
	CopyIn
	WorkspaceID string `json:"workspaceId,omitzero" jsonschema:"of the copy; default that of the base"`
},
) (Job, error) {
	if err := c.Principal.RequireScope(authz.DataRead); err != nil {
		return Job{}, err
	}
	snapshot, err := c.Schema.Fresh(ctx, c.Target.Org)
	if err != nil {
		return Job{}, err
	}
	base := snapshot.Base(c.Target.ID)
	if base == nil {
		return Job{}, problem.NotFound("base", in.BaseID)
	}
	request := in.request(base.Name)
	request.Base, request.Workspace = base.ID, base.Workspace
	if in.WorkspaceID != "" {
		org, workspace, err := c.findWorkspace(ctx, in.WorkspaceID)
		if err != nil {
			return Job{}, err
		}
		if org != c.Target.Org {
			return Job{}, problem.Invalid("workspaceId", "no workspace of the base's organization has the id %q",
				in.WorkspaceID)
		}
		request.Workspace = workspace
	}
	if err := c.mayMakeBase(ctx, request.Workspace, base.Access); err != nil {
		return Job{}, err
	}
	return c.begin(ctx, transfer.DuplicateBase, request, id.New())
})

// DuplicateTable begins the copy of a table.
var DuplicateTable = New(Def{
	Name: "duplicate_table", Method: "POST", Path: "/tables/{tableId}/duplicate", Title: "Duplicate table",
	Summary: "Begin a job that makes a copy of a table in its base.",
	Description: "With its fields, views, permissions, and unless records is false its records and files. Its links " +
		"go to the same records, so the linked tables get a field for the copy. Returns the job, whose tableId " +
		"becomes that of the copy.",
	Scope: authz.SchemaWrite, Accepted: true, Unlogged: true,
}, func(ctx context.Context, c *Call, in struct {
	TableIn
	CopyIn
},
) (Job, error) {
	for _, scope := range []authz.Scope{authz.DataRead, authz.DataWrite} {
		if err := c.Principal.RequireScope(scope); err != nil {
			return Job{}, err
		}
	}
	request := in.request(c.Target.Table.Name)
	request.Base, request.Table = c.Target.Base, c.Target.ID
	return c.begin(ctx, transfer.DuplicateTable, request, id.New())
})

// UploadArchive stores a base archive, which arrives as a stream, for StartArchiveImport, with the checks of that.
func UploadArchive(
	ctx context.Context, deps *Deps, request Request, workspace string, in attachment.Upload,
	content func(ctx context.Context) io.Reader,
) ([]byte, error) {
	return uploadFor(ctx, deps, StartArchiveImport, request, "workspaceId", workspace, in, content)
}

// uploadFor stores a file for an operation, with the checks of that. See Upload.
func uploadFor(
	ctx context.Context, deps *Deps, op *Operation, request Request, param, target string, in attachment.Upload,
	content func(ctx context.Context) io.Reader,
) ([]byte, error) {
	started := time.Now()
	ctx, call := deps.newCall(ctx, request.Principal)
	raw, err := json.Marshal(map[string]string{param: target})
	if err != nil {
		return nil, fmt.Errorf("encoding the request of an upload: %w", err)
	}
	request.Raw = raw
	in.Subject = target
	out, err := op.stream(ctx, call, request, in, content)
	err = call.nameless(ctx, err)
	err = whoWent(ctx, err)
	op.observe(ctx, call, request, time.Since(started), err)
	return out, err
}
