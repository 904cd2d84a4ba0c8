package operation

import (
	"cmp"
	"context"
	"net/url"
	"strings"

	"github.com/rowhouse/rowhouse/authz"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/transfer"
)

// StartProductImport begins an import of a base of NocoDB or Baserow.
var StartProductImport = New(Def{
	Name: "start_product_import", Method: "POST", Path: "/workspaces/{workspaceId}/product-imports",
	Title: "Import a base of NocoDB or Baserow",
	Summary: "Begin a job that brings a base of NocoDB or Baserow into a new base, or its changes into the base " +
		"that an earlier import made.",
	Description: "Tables, fields, records, links, attachments and the formulas that have a counterpart come through " +
		"the product's API. The token is an API token of NocoDB, or a database token of Baserow that may read, and " +
		"is deleted with the end of the job. Returns the job; get_job has its report, with what did not come.",
	Scope: authz.SchemaWrite, Accepted: true, Unlogged: true, Waits: productWait,
}, func(ctx context.Context, c *Call, in struct {
	WorkspaceIn
	Product       string `json:"product" enum:"nocodb,baserow"`
	ProductBaseID string `json:"productBaseId" minLength:"1" maxLength:"100" jsonschema:"id of the base at NocoDB, p…, or of the database at Baserow, a number"`
	Token         string `json:"token" minLength:"1" maxLength:"500" jsonschema:"of the product"`
	Address       string `json:"address,omitzero" maxLength:"500" jsonschema:"of your own installation; default that of the product's maker"`
	Name          string `json:"name,omitzero" maxLength:"255" jsonschema:"of the new base; default that of the product"`
	BaseID        string `json:"baseId,omitzero" jsonschema:"the base that an earlier import made, to bring its changes"`
},
) (Job, error) {
	token, err := c.tokenForImport(in.Token, "a token of the product, which has no spaces")
	if err != nil {
		return Job{}, err
	}
	from := c.Jobs.Products[in.Product]
	if from == nil {
		return Job{}, problem.Invalid("product", "cannot be imported from here")
	}
	address, err := installation(cmp.Or(in.Address, from.Address()))
	if err != nil {
		return Job{}, err
	}
	request := transfer.ProductImport{
		Product: in.Product, Address: address, Base: strings.TrimSpace(in.ProductBaseID),
	}
	base, err := c.baseForImport(ctx, in.BaseID, in.Name, request.Place(), "the base "+request.Base+" of "+address)
	if err != nil {
		return Job{}, err
	}
	name, err := c.nameAt(ctx, from.Open(address, token, request.Base))
	if err != nil {
		return Job{}, err
	}
	return c.beginInto(ctx, base, cmp.Or(in.Name, name), transfer.ImportProduct, request, token)
})

// installation is the address of an installation in that of one of its pages.
func installation(address string) (string, error) {
	u, err := url.Parse(strings.TrimSpace(address))
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" || u.User != nil {
		return "", problem.Invalid("address",
			"must be the address of the installation, such as https://data.example.com")
	}
	path := strings.TrimSuffix(strings.TrimRight(u.Path, "/"), "/dashboard") // where pages of NocoDB are
	return u.Scheme + "://" + strings.ToLower(u.Host) + path, nil
}
