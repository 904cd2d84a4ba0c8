package operation

import (
	"cmp"
	"context"
	"encoding/json"
	"regexp"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/schema"
	"github.com/rowhouse/rowhouse/tenancy/transfer"
	"github.com/rowhouse/rowhouse/tenancy/transfer/product"
)

// productWait is how long another product may take to say what the token reaches.
const productWait = 20 * time.Second

// airtableBase finds the id of a base of Airtable in the address of one of its pages, or alone.
var airtableBase = regexp.MustCompile(`(?:^|/)(app[A-Za-z0-9]{14})(?:$|[/?#])`)

// StartAirtableImport begins an import of a base of Airtable.
var StartAirtableImport = New(Def{
	Name: "start_airtable_import", Method: "POST", Path: "/workspaces/{workspaceId}/airtable-imports",
	Title: "Import a base of Airtable",
	Summary: "Begin a job that brings a base of Airtable into a new base, or its changes into the base that an " +
		"earlier import made.",
	Description: "Tables, fields, records, links, attachments, comments and formulas come through Airtable's API. " +
		"The token is a personal access token with data.records:read, data.recordComments:read and " +
		"schema.bases:read, and is deleted with the end of the job. Returns the job; get_job has its report, with " +
		"what did not come.",
	Scope: authz.SchemaWrite, Accepted: true, Unlogged: true, Waits: productWait,
}, func(ctx context.Context, c *Call, in struct {
	WorkspaceIn
	AirtableBaseID string `json:"airtableBaseId" maxLength:"500" jsonschema:"app…, or the address of a page of the base"`
	Token          string `json:"token" minLength:"1" maxLength:"500" jsonschema:"personal access token of Airtable"`
	Name           string `json:"name,omitzero" maxLength:"255" jsonschema:"of the new base; default that of Airtable"`
	BaseID         string `json:"baseId,omitzero" jsonschema:"the base that an earlier import made, to bring its changes"`
},
) (Job, error) {
	token, err := c.tokenForImport(in.Token, "a personal access token, such as patXXXXXXXXXXXXXX.XXXX")
	if err != nil {
		return Job{}, err
	}
	found := airtableBase.FindStringSubmatch(in.AirtableBaseID)
	if found == nil {
		return Job{}, problem.Invalid("airtableBaseId", "must be app and 14 letters or digits, or the address of a "+
			"page of the base, such as https://airtable.com/appXXXXXXXXXXXXXX")
	}
	base, err := c.baseForImport(ctx, in.BaseID, in.Name, found[1], "the Airtable base "+found[1])
	if err != nil {
		return Job{}, err
	}
	name, err := c.nameAt(ctx, c.Jobs.Airtable.Open(token, found[1]))
	if err != nil {
		return Job{}, err
	}
	return c.beginInto(ctx, base, cmp.Or(in.Name, name), transfer.ImportAirtable,
		transfer.AirtableImport{AirtableBase: found[1]}, token)
})

// tokenForImport checks that the caller may import, and returns a token for another product without spaces around it.
// form says what it must be.
func (c *Call) tokenForImport(given, form string) (string, error) {
	if err := c.Principal.RequireScope(authz.DataWrite); err != nil {
		return "", err
	}
	if err := c.Files.CheckConfigured(); err != nil {
		return "", err
	}
	token := strings.TrimSpace(given)
	if token == "" || strings.ContainsFunc(token, func(c rune) bool { return c <= ' ' || c > '~' }) {
		return "", problem.Invalid("token", "must be %s", form)
	}
	return token, nil
}

// beginInto begins an import with a token, into a base or into a new one with a name.
func (c *Call) beginInto(
	ctx context.Context, base uuid.UUID, name string, kind transfer.Kind, request any, token string,
) (Job, error) {
	made := base == uuid.Nil
	if made {
		created, err := c.Schema.CreateBase(withoutInput(ctx), c.Target.Org, c.Target.ID, name)
		if err != nil {
			return Job{}, err
		}
		base = created.ID
	}
	c.Target.Base = base
	job, err := c.beginWith(ctx, kind, request, id.New(), token)
	if err != nil && made {
		_ = c.Schema.DeleteBase(withoutInput(ctx), c.Target.Org, base) // it is empty
	}
	return job, err
}

// withoutInput returns a context whose changes are those of a step before the last, and in whose events the input does
// not appear, because a token is in it.
func withoutInput(ctx context.Context) context.Context {
	actor := db.ActorOf(ctx)
	actor.Input, actor.Attempt = json.RawMessage("{}"), uuid.Nil
	return db.WithActor(ctx, actor)
}

// baseForImport checks the base into which another import of a place goes, which is called what; uuid.Nil is a new one.
func (c *Call) baseForImport(ctx context.Context, public, name, place, what string) (uuid.UUID, error) {
	if public == "" {
		return uuid.Nil, nil
	}
	if name != "" {
		return uuid.Nil, problem.Invalid("name", "cannot be given together with baseId, whose name stays")
	}
	base, err := id.Parse(id.Base, public)
	if err != nil {
		return uuid.Nil, problem.NotFound("base", public)
	}
	snapshot, err := c.Schema.Fresh(ctx, c.Target.Org)
	if err != nil {
		return uuid.Nil, err
	}
	known := snapshot.Base(base)
	if known == nil || known.Workspace != c.Target.ID || !c.Principal.ReachesBase(base) {
		return uuid.Nil, problem.NotFound("base", public)
	}
	if role := snapshot.RoleOf(c.Principal.Subject(c.Target.Org), base); role != schema.BaseCreator {
		return uuid.Nil, problem.Forbidden("This needs the role %s in the base; yours is %s.",
			schema.BaseCreator, role).WithCode(problem.CodeInsufficientRole)
	}
	from, err := c.Jobs.ProductBase(ctx, c.Target.Org, base)
	if err != nil {
		return uuid.Nil, err
	}
	if from != place {
		return uuid.Nil, problem.Invalid("baseId", "did not come from %s", what)
	}
	return base, nil
}

// nameAt returns the name of a base of another product, or says why the token does not reach it.
func (c *Call) nameAt(ctx context.Context, session product.Session) (string, error) {
	var name string
	var failure error
	err := c.idle(ctx, func() {
		ctx, cancel := context.WithTimeout(ctx, productWait)
		defer cancel()
		name, failure = session.BaseName(ctx)
	})
	if err != nil {
		return "", err
	}
	return name, session.Problem(failure)
}
