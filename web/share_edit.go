package web

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	forms "github.com/rowhouse/rowhouse/tenancy/form"
	"github.com/rowhouse/rowhouse/tenancy/organization"
)

// Where a share says so, its readers change the records of the view and add some: on the page of a form that asks for
// the fields that the view shows. They have the rights of the person who shared it, bound to the view as those of an
// API key can be: they reach no other record and no other field, and a new record gets what the view filters by. The
// address of a record's page has the token of an answer to a form.

const (
	newParameter   = "new"   // in the address of the page that adds a record
	savedParameter = "saved" // in that of the list, after something was saved
)

// asksRecord reports whether a request is for the page of one record, there already or new.
func asksRecord(r *http.Request) bool {
	query := r.URL.Query()
	return query.Has("answer") || query.Has(newParameter)
}

// edit gives a shared view the form with which its records are changed. If the person who shared it may not share it
// any more, the view stays as it is, to be read.
func (s *shareHandler) edit(ctx context.Context, view *shared, target *organization.SharedTarget) error {
	member, err := s.sharer(ctx, target)
	if problem.KindOf(err) == problem.KindNotFound {
		return nil
	}
	if err != nil {
		return err
	}
	member.View = target.View
	ctx = catalog.WithCaller(ctx, member)
	snapshot, err := s.Schema.Fresh(ctx, target.Org)
	if err != nil {
		return err //nolint:wrapcheck // it says what was done
	}
	bound := snapshot.View(target.View)
	if bound == nil {
		return nil
	}
	asks := forms.Of(bound).Public()
	if len(asks.Questions) == 0 {
		return nil
	}
	asks.Edits = true
	view.form, view.target, view.as = asks, target, ctx
	return nil
}

// linkRecords gives the rows of a page the addresses of the pages of their records.
func (s *shareHandler) linkRecords(v *shareView, q shareQuery, asks *forms.Form) {
	rights, own := asks.View.Table.Rights()
	at := func(name, value string) string {
		address := q.address(v.Share)
		separator := "?"
		if strings.Contains(address, "?") {
			separator = "&"
		}
		return address + separator + url.Values{name: {value}}.Encode()
	}
	if !own || rights.Create {
		v.New = at(newParameter, "1")
	}
	for _, group := range v.Groups {
		for i := range group.Rows {
			group.Rows[i].Edit = at("answer", s.Work.answerToken(v.Share, group.Rows[i].ID))
		}
	}
}

// listURL is the page from which the page of a record was opened.
func listURL(r *http.Request) string {
	query := r.URL.Query()
	for _, own := range []string{"answer", newParameter, savedParameter} {
		query.Del(own)
	}
	if len(query) == 0 {
		return r.URL.Path
	}
	return r.URL.Path + "?" + query.Encode()
}

// savedURL is the same page after a record was saved.
func savedURL(r *http.Request) string {
	address, err := url.Parse(listURL(r))
	if err != nil {
		return r.URL.Path
	}
	query := address.Query()
	query.Set(savedParameter, "1")
	return address.Path + "?" + query.Encode()
}

// A formWas is a value that a question had when its page was made, so that the page changes only what its reader
// changes: meanwhile others may have changed the rest.
type formWas struct{ Name, Value string }

const wasPrefix = "was."

// presentValues returns the values that the questions have now.
func (v *formView) presentValues() []formWas {
	var was []formWas
	for _, page := range v.Pages {
		for _, q := range page.Questions {
			for _, value := range q.Values {
				was = append(was, formWas{wasPrefix + q.ID, value})
			}
			for _, file := range q.Files {
				was = append(was, formWas{wasPrefix + q.ID, file.Token})
			}
		}
	}
	return was
}

// givenWas returns the values that a page was made with, for the page that comes after something was wrong.
func givenWas(given url.Values) []formWas {
	var was []formWas
	for name, values := range given {
		if strings.HasPrefix(name, wasPrefix) {
			for _, value := range values {
				was = append(was, formWas{name, value})
			}
		}
	}
	slices.SortStableFunc(was, func(a, b formWas) int { return strings.Compare(a.Name, b.Name) })
	return was
}

// touched is a form without the questions whose values are those that its page was made with.
func touched(asks *forms.Form, given url.Values) *forms.Form {
	values := func(name string) []string {
		var out []string
		for _, value := range given[name] {
			if value != "" {
				out = append(out, strings.ReplaceAll(value, "\r\n", "\n"))
			}
		}
		return out
	}
	out := *asks
	out.Questions = slices.DeleteFunc(slices.Clone(asks.Questions), func(q forms.Question) bool {
		of := q.Field.PublicID()
		return slices.Equal(values(of), values(wasPrefix+of))
	})
	return &out
}
