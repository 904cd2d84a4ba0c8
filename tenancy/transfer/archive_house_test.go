package transfer_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"image"
	"image/png"
	"io"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/internal/jsonvalue"
	"github.com/rowhouse/rowhouse/internal/jsonvalue/jsonvaluetest"
	"github.com/rowhouse/rowhouse/tenancy/attachment"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/comment"
	"github.com/rowhouse/rowhouse/tenancy/dashboard"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/organization"
	"github.com/rowhouse/rowhouse/tenancy/query"
	"github.com/rowhouse/rowhouse/tenancy/record"
	"github.com/rowhouse/rowhouse/tenancy/schema"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
	"github.com/rowhouse/rowhouse/tenancy/transfer"
)

// A house is an organization whose bases are archived, or come of archives.
type house struct {
	t         *testing.T
	s         *transfer.Store
	ctx       context.Context //nolint:containedctx // of one test
	actor     record.Actor
	workspace uuid.UUID
	base      uuid.UUID
	folder    string
}

func newHouse(t *testing.T, folder string) *house {
	t.Helper()
	s, schemas := store(t, folder)
	s.Log = slog.New(slog.NewTextHandler(t.Output(), &slog.HandlerOptions{Level: slog.LevelError}))
	org, owner := tenancytest.Org(t, s.DB)
	ctx := db.WithActor(t.Context(), db.Actor{Person: owner})
	workspace, err := schemas.CreateWorkspace(ctx, org, "Spare", "")
	if err != nil {
		t.Fatal(err)
	}
	return &house{t, s, ctx, record.Actor{Org: org, Person: owner, Admin: true}, workspace.ID, uuid.Nil, folder}
}

func (h *house) must(err error) {
	h.t.Helper()
	if err != nil {
		h.t.Fatal(err)
	}
}

func (h *house) snapshot() *schema.Snapshot {
	h.t.Helper()
	s, err := h.s.Schema.Fresh(h.t.Context(), h.actor.Org)
	h.must(err)
	return s
}

func (h *house) table(name string) *schema.Table {
	h.t.Helper()
	for _, t := range h.snapshot().Base(h.base).Tables {
		if t.Name == name {
			return t
		}
	}
	h.t.Fatalf("there is no table %s", name)
	return nil
}

func (h *house) field(table, name string, kind schema.Type, config string) {
	h.t.Helper()
	_, err := h.s.Schema.CreateField(h.ctx, h.actor.Org, h.table(table).ID, catalog.FieldSpec{
		Name: name, Type: kind, Config: json.RawMessage(config),
	})
	if err != nil {
		h.t.Fatalf("%s.%s: %s", table, name, err)
	}
}

func (h *house) fieldID(table, name string) string {
	h.t.Helper()
	f := h.table(table).FieldByName(name)
	if f == nil {
		h.t.Fatalf("there is no field %s.%s", table, name)
	}
	return f.PublicID()
}

// create makes records, and returns their ids.
func (h *house) create(table string, records ...string) []string {
	h.t.Helper()
	in := record.Creation{}
	for _, one := range records {
		in.Records = append(in.Records, jsonvaluetest.ParseObject([]byte(one)))
	}
	written, err := h.s.Records.Create(h.ctx, h.actor, h.table(table).ID, in)
	h.must(err)
	var ids []string
	for _, raw := range written.Records {
		var one struct {
			ID string `json:"id"`
		}
		h.must(json.Unmarshal(raw, &one))
		ids = append(ids, one.ID)
	}
	return ids
}

func (h *house) file(table, name string, content []byte) string {
	h.t.Helper()
	f, err := h.s.Files.Receive(h.ctx, h.actor.Org, h.actor.Person, h.table(table).ID, attachment.Upload{
		Name: name, Size: int64(len(content)), Content: bytes.NewReader(content),
	})
	h.must(err)
	return f.PublicID()
}

// run begins a job and works on it until it has ended.
func (h *house) run(kind transfer.Kind, base, table uuid.UUID, request any) *transfer.Job {
	h.t.Helper()
	begun, err := h.s.Begin(h.ctx, &transfer.Job{
		Org: h.actor.Org, Kind: kind, Person: h.actor.Person, Base: base, Table: table,
		Request: jsonvalue.Must(request), ChangeSet: id.New(),
	})
	h.must(err)
	for range 100 {
		if err := h.s.Run(h.ctx, h.actor.Org, begun.ID); err != nil {
			h.t.Log(err)
		}
		j, err := h.s.Get(h.ctx, h.actor.Org, begun.ID)
		h.must(err)
		if j.State.Ended() {
			return j
		}
		time.Sleep(20 * time.Millisecond)
	}
	h.t.Fatal("the job does not end")
	return nil
}

func (h *house) done(kind transfer.Kind, base, table uuid.UUID, request any) *transfer.Job {
	h.t.Helper()
	j := h.run(kind, base, table, request)
	if j.State != transfer.Done {
		h.t.Fatalf("the job is %s: %+v", j.State, j.Report)
	}
	return j
}

// archived is the archive of the base.
func (h *house) archived() []byte {
	h.t.Helper()
	j := h.done(transfer.ExportBase, h.base, uuid.Nil, transfer.Export{Format: transfer.Archive})
	_, content, err := h.s.Files.Content(h.ctx, h.actor.Org, j.File.ID, false)
	h.must(err)
	raw, err := io.ReadAll(content)
	h.must(err)
	h.must(content.Close())
	return raw
}

func (h *house) upload(raw []byte) uuid.UUID {
	h.t.Helper()
	f, err := h.s.Files.Receive(h.ctx, h.actor.Org, h.actor.Person, h.workspace, attachment.Upload{
		Name: "base.zip", Size: int64(len(raw)), Content: bytes.NewReader(raw),
	})
	h.must(err)
	return f.ID
}

// bring imports an archive, and expects success.
func (h *house) bring(raw []byte) *transfer.Job {
	h.t.Helper()
	j := h.done(transfer.ImportArchive, uuid.Nil, uuid.Nil,
		transfer.ArchiveImport{Workspace: h.workspace, File: h.upload(raw)})
	h.base = j.Base
	return j
}

// everyKind makes a base with every kind of field, links of all forms, views, a dashboard and files.
func (h *house) everyKind() {
	h.t.Helper()
	org := h.actor.Org
	base, err := h.s.Schema.CreateBase(h.ctx, org, h.workspace, "Every kind")
	h.must(err)
	h.base = base.ID
	zone := "Europe/Berlin"
	h.must(h.s.Schema.UpdateBase(h.ctx, org, base.ID, catalog.Patch{
		TimeZone: &zone, Icon: &schema.Icon{Kind: "emoji", Value: "🏠"},
	}, nil))
	me := id.Format(id.User, h.actor.Person)
	things := []catalog.FieldSpec{{Name: "Name", Type: schema.Text}}
	for kind := range odd {
		spec := catalog.FieldSpec{Name: "f " + string(kind), Type: kind}
		if strings.HasSuffix(string(kind), "select") {
			spec.Config = []byte(`{"options":["one","with, comma","with \"quotes\"","=sum","5"],"description":"some"}`)
		}
		things = append(things, spec)
	}
	for _, one := range []struct {
		kind   schema.Type
		config string
	}{
		{"rating", `{"max":7}`},
		{"user", `{"multiple":true,"default":["` + me + `"]}`},
		{"attachment", ""},
		{"auto_number", ""},
		{"created_time", ""},
		{"created_by", ""},
		{"last_modified_time", ""},
		{"last_modified_by", ""},
	} {
		things = append(things, catalog.FieldSpec{
			Name: "f " + string(one.kind), Type: one.kind, Config: json.RawMessage(one.config),
		})
	}
	slices.SortFunc(things[1:], func(a, b catalog.FieldSpec) int { return strings.Compare(a.Name, b.Name) })
	_, err = h.s.Schema.CreateTable(h.ctx, org, base.ID, "Things", things)
	h.must(err)
	_, err = h.s.Schema.CreateTable(h.ctx, org, base.ID, "Boxes", []catalog.FieldSpec{
		{Name: "Label", Type: schema.Text, Config: json.RawMessage(`{"required":true,"unique":true}`)},
		{Name: "Number", Type: schema.Number, Config: json.RawMessage(`{"default":7}`)},
	})
	h.must(err)
	h.field("Boxes", "f button", "button", `{"label":"Open","url":"https://example.com/"}`)
	h.field("Boxes", "Things", "link", `{"linkedTableId":"`+h.table("Things").PublicID()+`"}`)
	h.field("Things", "Parent", "link", `{"linkedTableId":"`+h.table("Things").PublicID()+`","multiple":false}`)
	title := `{"formula":"CONCATENATE({Label}, \" #\", {Number})"}`
	h.field("Boxes", "Title", "formula", title)
	named := h.table("Boxes").FieldByName("Title")
	h.must(h.s.Schema.UpdateField(h.ctx, org, named.ID, catalog.FieldPatch{Primary: true}))
	link := h.fieldID("Boxes", "Things")
	h.field("Boxes", "f count", "count", `{"linkFieldId":"`+link+`"}`)
	h.field("Boxes", "f rollup", "rollup", `{"linkFieldId":"`+link+`","fieldId":"`+h.fieldID("Things", "f number")+
		`","function":"SUM","filters":[{"fieldId":"`+h.fieldID("Things", "f checkbox")+`","op":"eq","value":true}]}`)
	h.field("Boxes", "f lookup", "lookup", `{"linkFieldId":"`+link+`","fieldId":"`+
		h.fieldID("Things", "f single_select")+`","sorts":[{"fieldId":"`+h.fieldID("Things", "Name")+
		`","dir":"desc"}]}`)
	h.field("Boxes", "Sum of sums", "formula", `{"formula":"{f rollup} + {f count} * {Number}"}`)
	h.field("Things", "Box numbers", "rollup", `{"linkFieldId":"`+h.fieldID("Things", "Boxes")+`","fieldId":"`+
		h.fieldID("Boxes", "Sum of sums")+`","function":"MAX"}`)
	h.field("Boxes", "Changed", "formula", `{"formula":"LAST_MODIFIED_TIME()"}`)
	h.fillEveryKind(me)
	h.viewEveryKind(me)
}

func (h *house) fillEveryKind(me string) {
	h.t.Helper()
	var picture bytes.Buffer
	h.must(png.Encode(&picture, image.NewRGBA(image.Rect(0, 0, 30, 20))))
	photo, text := h.file("Things", "photo.png", picture.Bytes()), h.file("Things", "notes.txt", []byte("Some notes\n"))
	var things []string
	most := 0
	for _, values := range odd {
		most = max(most, len(values))
	}
	for n := range most {
		object := fmt.Sprintf(`{"Name":"thing %d"`, n)
		for kind, values := range odd {
			object += fmt.Sprintf(`,%q:%s`, "f "+string(kind), values[n%len(values)])
		}
		if n%3 == 0 {
			object += `,"f rating":3,"f user":["` + me + `"],"f attachment":[{"id":"` + photo +
				`","name":"renamed.png"},{"id":"` + text + `"}]`
		}
		if n%3 == 1 {
			object += `,"f user":null,"f attachment":[{"id":"` + photo + `"}]`
		}
		if n > 2 {
			object += `,"Parent":["` + things[n%3] + `"]`
		}
		things = append(things, h.create("Things", object+"}")...)
	}
	boxes := h.create("Boxes",
		`{"Label":"A","Things":["`+strings.Join([]string{things[4], things[1], things[9]}, `","`)+`"]}`,
		`{"Label":"B","Number":null,"Things":["`+things[1]+`","`+things[4]+`"]}`, `{"Label":"C","Number":-2}`)
	// The other side has an order of its own.
	h.change("Things", things[4], `{"Boxes":["`+boxes[1]+`","`+boxes[0]+`"]}`)
	_, err := h.s.Records.Delete(h.ctx, h.actor, h.table("Things").ID, []string{things[2]}) // a gap in the numbers
	h.must(err)
	// Somebody else changed a record.
	other := tenancytest.Person(h.t, h.s.DB)
	h.must(tenancytest.Join(h.t, h.s.DB, h.actor.Org, other, organization.Editor))
	theirs := record.Actor{Org: h.actor.Org, Person: other}
	_, err = h.s.Records.Update(h.ctx, theirs, h.table("Things").ID, []record.Change{{
		ID: things[5], Fields: jsonvaluetest.ParseObject([]byte(`{"f number":55}`)),
	}}, false)
	h.must(err)
	first := h.say(h.actor, boxes[0], "Is this @[?]("+me+")'s <box> & crate?", "")
	reply := h.say(h.actor, boxes[0], "Yes.", first)
	h.must(h.s.Comments.Delete(h.ctx, h.actor, h.table("Boxes").Number, commentID(first))) // the thread stays
	_, err = h.s.Comments.Edit(h.ctx, h.actor, h.table("Boxes").Number, commentID(reply), "No.", nil)
	h.must(err)
	second := h.say(h.actor, boxes[1], "About @[?]("+me+") and "+boxes[0], "")
	_, err = h.s.Comments.Resolve(h.ctx, h.actor, h.table("Boxes").Number, commentID(second), true)
	h.must(err)
	them := id.Format(id.User, other)
	h.say(h.actor, things[1], "Mine, for @[?]("+them+") and @[?]("+me+")", h.say(theirs, things[1], "Theirs", ""))
}

// say writes a comment, and returns its id.
func (h *house) say(who record.Actor, about, text, replyTo string) string {
	h.t.Helper()
	number, row, err := id.ParseRecord(about)
	h.must(err)
	made, err := h.s.Comments.Create(h.ctx, who, number, comment.Draft{Record: row, Text: text, ReplyTo: replyTo})
	h.must(err)
	return made.PublicID()
}

func commentID(public string) uuid.UUID {
	_, u, err := id.ParseComment(public)
	if err != nil {
		panic(err) // it was formatted by id
	}
	return u
}

// said are the comments on the records of a table, as people read them but for who wrote with what.
func (h *house) said(table string) []listed {
	h.t.Helper()
	var out []listed
	for _, one := range h.list(table, "") {
		number, row, err := id.ParseRecord(one.id)
		h.must(err)
		page, err := h.s.Comments.List(h.ctx, h.actor.Org, number, row, nil, comment.MaxPage)
		h.must(err)
		for i := range page.Comments {
			c := &page.Comments[i]
			author, text := id.Format(id.User, c.Author.ID), c.Text
			resolver := ""
			if c.ResolvedBy != nil {
				resolver = id.Format(id.User, c.ResolvedBy.ID)
			}
			out = append(out, listed{c.PublicRecord(), fmt.Sprint(c.PublicRecord(), " ", author, " ", text, " ",
				c.CreatedAt.UTC(), c.EditedAt, c.DeletedAt, c.ResolvedAt, resolver, len(c.Mentions), c.ID == c.Thread)})
		}
	}
	return out
}

func (h *house) change(table, record_, fields string) {
	h.t.Helper()
	_, err := h.s.Records.Update(h.ctx, h.actor, h.table(table).ID, []record.Change{{
		ID: record_, Fields: jsonvaluetest.ParseObject([]byte(fields)),
	}}, false)
	h.must(err)
}

func (h *house) viewEveryKind(me string) {
	h.t.Helper()
	by := schema.Viewer{Person: h.actor.Person, Admin: true}
	first := h.list("Things", "")[1]
	view := func(table, name string, kind schema.ViewType, access schema.ViewAccess, config string) *schema.View {
		h.t.Helper()
		parsed := schema.ViewConfig{}
		h.must(json.Unmarshal([]byte(config), &parsed))
		made, err := h.s.Schema.CreateView(h.ctx, h.actor.Org, h.table(table).ID, catalog.ViewSpec{
			Type: kind, Name: name, Access: access, By: by, Config: parsed, Check: query.CheckView,
		})
		if err != nil {
			h.t.Fatalf("%s: %s", name, err)
		}
		return made
	}
	number, sel := h.fieldID("Things", "f number"), h.fieldID("Things", "f single_select")
	view("Things", "Filtered", schema.Grid, schema.Locked, `{"filters":[{"fieldId":"`+sel+
		`","op":"eq","value":"one"},{"fieldId":"`+h.fieldID("Things", "f user")+
		`","op":"has_any","value":["`+me+`"]}],"sorts":[{"fieldId":"`+number+
		`","dir":"desc"}],"groupBy":["`+sel+`"],"hiddenFields":["`+number+`"],"columnWidths":{"`+number+
		`":222},"aggregates":{"`+number+`":"sum"}}`)
	view("Things", "Children", schema.Gallery, "", `{"coverFieldId":"`+h.fieldID("Things", "f attachment")+
		`","filters":[{"fieldId":"`+h.fieldID("Things", "Parent")+`","op":"has_any","value":["`+first.id+`"]}]}`)
	view("Things", "Board", schema.Kanban, "", `{"stackFieldId":"`+sel+`"}`)
	view("Things", "Days", schema.Calendar, "", `{"startFieldId":"`+h.fieldID("Things", "f date")+`"}`)
	view("Things", "Ask", schema.Form, "", `{"requiredFields":["`+number+`"]}`)
	view("Things", "Mine", schema.Grid, schema.Personal, `{}`)
	chart := view("Things", "Chart", schema.Chart, "",
		`{"chart":{"kind":"bar","value":{"fn":"sum","fieldId":"`+number+`"},"groupBy":{"fieldId":"`+sel+`"}}}`)
	order := view("Things", "By hand", schema.Grid, "", `{}`)
	ids := h.list("Things", "")
	h.must(h.s.Records.Move(h.ctx, h.actor, order.ID, record.Move{
		IDs: []string{ids[7].id, ids[3].id}, Before: ids[1].id,
	}))
	h.must(h.s.Records.Move(h.ctx, h.actor, order.ID, record.Move{IDs: []string{ids[8].id}, Before: ids[3].id}))
	_, err := dashboard.New(h.s.DB).Create(h.ctx, h.actor.Org, h.base, "Overview", []dashboard.Tile{
		{View: chart.PublicID(), Width: 6, Height: 4}, {Text: "Notes", Column: 6, Width: 6, Height: 4},
	}, func(string) bool { return true })
	h.must(err)
}

type listed struct {
	id  string
	raw string
}

// list reads the records of a table, or of a view, as people read them.
func (h *house) list(table, view string) []listed {
	h.t.Helper()
	request := query.Request{Limit: 100}
	if view != "" {
		for _, v := range h.table(table).Views {
			if v.Name == view {
				request.View = v.PublicID()
			}
		}
	}
	page, err := h.s.Records.List(h.ctx, h.actor, h.table(table).ID, request)
	h.must(err)
	out := make([]listed, 0, len(page.Records))
	for _, raw := range page.Records {
		var one map[string]json.RawMessage
		h.must(json.Unmarshal(raw, &one))
		delete(one, "version")
		text := ""
		h.must(json.Unmarshal(one["id"], &text))
		out = append(out, listed{text, string(jsonvalue.Must(one))})
	}
	return out
}
