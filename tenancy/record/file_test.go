package record_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/internal/jsonvalue/jsonvaluetest"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/attachment"
	"github.com/rowhouse/rowhouse/tenancy/organization"
	"github.com/rowhouse/rowhouse/tenancy/query"
	"github.com/rowhouse/rowhouse/tenancy/record"
	"github.com/rowhouse/rowhouse/tenancy/schema"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

// A drawer is a table with files.
type drawer struct {
	*bundle
	files   *attachment.Store
	sweeper *attachment.Sweeper
	id      uuid.UUID // of the table
}

func openDrawer(t *testing.T) *drawer {
	t.Helper()
	b := setup(t)
	blobs, err := attachment.NewDisk(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	links, err := attachment.NewLinks("/files/", [][]byte{[]byte("secret")})
	if err != nil {
		t.Fatal(err)
	}
	d := &drawer{bundle: b, files: attachment.New(b.db, blobs, attachment.Limits{File: 1 << 20})}
	d.sweeper = &attachment.Sweeper{DB: b.db, Blobs: blobs, References: b.engine}
	b.engine = b.engine.Linking(links)
	d.id = b.table(t, "Drawer", field("Name", schema.Text), field("Files", schema.Attachment),
		field("More", schema.Attachment))
	return d
}

func (d *drawer) upload(t *testing.T, table uuid.UUID, name string) string {
	t.Helper()
	f, err := d.files.Receive(t.Context(), d.actor.Org, d.actor.Person, table,
		attachment.Upload{Name: name, Size: 5, Content: strings.NewReader("words")})
	if err != nil {
		t.Fatal(err)
	}
	return f.PublicID()
}

// there reports whether a file is there.
func (d *drawer) there(t *testing.T, file string) bool {
	t.Helper()
	u, err := id.Parse(id.Attachment, file)
	if err != nil {
		t.Fatal(err)
	}
	_, content, err := d.files.Content(t.Context(), d.actor.Org, u, false)
	if problem.KindOf(err) == problem.KindNotFound && err != nil {
		return false
	}
	if err != nil {
		t.Fatal(err)
	}
	return content.Close() == nil
}

// later lets days pass for the organization's files, and sweeps.
func (d *drawer) later(t *testing.T, days int) {
	t.Helper()
	err := d.db.Tx(t.Context(), d.actor.Org, func(tx pgx.Tx) error {
		_, err := tx.Exec(t.Context(), `update rowhouse.attachment set created_at = created_at - $2 * interval '1 day',
			kept_at = kept_at - $2 * interval '1 day', unused_since = unused_since - $2 * interval '1 day'
			where org_id = $1`, d.actor.Org, days)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := d.sweeper.SweepOrg(t.Context(), d.actor.Org); err != nil {
		t.Fatal(err)
	}
}

func (d *drawer) update(t *testing.T, rec, fields string) error {
	t.Helper()
	_, err := d.engine.UpdateOne(t.Context(), d.actor, rec, jsonvaluetest.ParseObject([]byte(fields)), false)
	return err
}

func TestFilesAreReadAsTheyWerePutIn(t *testing.T) {
	t.Parallel()
	d := openDrawer(t)
	a, b := d.upload(t, d.id, "a.txt"), d.upload(t, d.id, `b "quoted" ☃.txt`)
	rec := d.create(t, d.id, `{"Name":"x","Files":["`+b+`",{"id":"`+a+`"},"`+b+`"],"More":"`+a+`"}`)[0]
	list := rec.Fields["Files"].([]any)
	if len(list) != 2 {
		t.Fatalf("%d files: %v", len(list), list)
	}
	first, second := list[0].(map[string]any), list[1].(map[string]any)
	if first["id"] != b || first["name"] != `b "quoted" ☃.txt` || first["size"] != 5.0 ||
		first["type"] != "text/plain" || !strings.HasPrefix(first["url"].(string), "/files/") {
		t.Errorf("the first is %v", first)
	}
	if _, image := first["thumbnailUrl"]; image || second["id"] != a {
		t.Errorf("the second is %v", second)
	}
	// What is read can be written back, under another name too; nothing else of it counts.
	for body, want := range map[string]string{
		fmt.Sprintf(
			`[{"id":%q,"name":"renamed.txt","size":1,"type":"text/html","url":"https://evil.example"}]`, a,
		): "renamed.txt",
		fmt.Sprintf(`[{"id":%q,"name":"a/../c.txt"}]`, a): "c.txt", fmt.Sprintf(`[{"id":%q}]`, a): "a.txt",
	} {
		if err := d.update(t, rec.ID, `{"Files":`+body+`}`); err != nil {
			t.Fatal(err)
		}
		_, all := d.list(t, d.id, query.Request{Fields: []string{"Files"}})
		got := all[0].Fields["Files"].([]any)[0].(map[string]any)
		if got["name"] != want || got["size"] != 5.0 || got["type"] != "text/plain" ||
			strings.Contains(got["url"].(string), "evil") {
			t.Errorf("%s is read as %v", body, got)
		}
	}
	for _, clear := range []string{`null`, `""`, `[]`} {
		if err := d.update(t, rec.ID, `{"Files":["`+a+`"]}`); err != nil {
			t.Fatal(err)
		}
		if err := d.update(t, rec.ID, `{"Files":`+clear+`}`); err != nil {
			t.Fatal(err)
		}
		if _, all := d.list(t, d.id, query.Request{
			Filters: []byte(`[{"fieldId":"Files","op":"is_empty"}]`),
		}); len(all) != 1 || all[0].Fields["Files"] != nil {
			t.Errorf("%s leaves %v", clear, all)
		}
	}
}

func TestAFileStandsInRecordsOfItsTableAlone(t *testing.T) {
	t.Parallel()
	d, other := openDrawer(t), openDrawer(t)
	elsewhere := d.table(t, "Elsewhere", field("Files", schema.Attachment))
	for name, file := range map[string]string{
		"of another organization": other.upload(t, other.id, "a"),
		"of another table":        d.upload(t, elsewhere, "a"),
		"of nobody":               id.Format(id.Attachment, id.New()),
	} {
		_, err := d.engine.Create(t.Context(), d.actor, d.id, record.Creation{
			Records: parsed([]string{`{}`, `{"Files":["` + file + `"]}`}),
		})
		wantItem(t, err, problem.KindInvalid, "records[1].fields.Files",
			strings.Replace(`"FILE" is not a file that was uploaded for "Drawer"`, `"FILE"`, file, 1))
		_, err = d.engine.Create(t.Context(), d.actor, d.id, record.Creation{
			Records:  parsed([]string{`{"Name":"x","Files":["` + file + `"]}`}),
			UpsertOn: []string{"Name"},
			Single:   true,
		})
		wantItem(t, err, problem.KindInvalid, "fields.Files", "was uploaded for")
		if page, _ := d.list(t, d.id, query.Request{}); page.Total != 0 {
			t.Errorf("%s: %d records", name, page.Total)
		}
	}
	// In its own table it may stand in several records, and be moved.
	file := d.upload(t, d.id, "a")
	recs := d.create(t, d.id, `{"Name":"x","Files":["`+file+`"]}`, `{"Name":"y","More":["`+file+`"]}`)
	written, err := d.engine.Create(t.Context(), d.actor, d.id, record.Creation{
		Records:  parsed([]string{`{"Name":"x","Files":null}`, `{"Name":"z","Files":["` + file + `"]}`}),
		UpsertOn: []string{"Name"},
	})
	if err != nil || len(written.Upsert.Updated) != 1 || written.Upsert.Updated[0] != recs[0].ID {
		t.Errorf("%+v, %v", written.Upsert, err)
	}
	if attached, err := d.engine.Attached(t.Context(), d.actor.Org, d.id); err != nil || len(attached) != 1 {
		t.Errorf("attached are %v, %v", attached, err)
	}
}

func TestAFileThatIsInNoRecordGoesAfterADayAndNotBefore(t *testing.T) {
	t.Parallel()
	d := openDrawer(t)
	kept, cleared, deleted, restored, unused, dropped := d.upload(t, d.id,
		"kept"), d.upload(t, d.id, "cleared"), d.upload(t, d.id, "deleted"),
		d.upload(t, d.id, "restored"), d.upload(t, d.id, "unused"), d.upload(t, d.id, "dropped")
	recs := d.create(t, d.id, `{"Files":["`+kept+`","`+cleared+`"]}`, `{"Files":["`+deleted+`","`+restored+`"]}`,
		`{"More":["`+dropped+`"]}`)
	d.later(t, 3)
	for _, file := range []string{kept, cleared, deleted, restored, dropped} {
		if !d.there(t, file) {
			t.Fatalf("%s is in a record, and gone", file)
		}
	}
	if d.there(t, unused) {
		t.Error("an upload of three days ago that was put nowhere is there")
	}

	if err := d.update(t, recs[0].ID, `{"Files":["`+kept+`"]}`); err != nil {
		t.Fatal(err)
	}
	if _, err := d.engine.DeleteOne(t.Context(), d.actor, recs[1].ID); err != nil {
		t.Fatal(err)
	}
	if err := d.store.DeleteField(t.Context(), d.actor.Org, d.schema(t, d.id).FieldByName("More").ID); err != nil {
		t.Fatal(err)
	}
	d.later(t, 0)
	for _, file := range []string{kept, cleared, deleted, restored, dropped} {
		if !d.there(t, file) {
			t.Errorf("%s is gone at once", file)
		}
	}
	d.create(t, d.id, `{"Files":["`+restored+`"]}`) // as when a removal is undone
	d.later(t, 2)
	for file, want := range map[string]bool{
		kept:     true,
		restored: true,
		cleared:  false,
		deleted:  false,
		dropped:  false,
	} {
		if d.there(t, file) != want {
			t.Errorf("%s is there: %t", file, !want)
		}
	}
	wantItem(t, d.update(t, recs[0].ID, `{"Files":["`+cleared+`"]}`), problem.KindInvalid, "fields.Files",
		"was uploaded for")

	if err := d.store.DeleteTable(t.Context(), d.actor.Org, d.id); err != nil {
		t.Fatal(err)
	}
	d.later(t, 0)
	d.later(t, 2)
	if d.there(t, kept) {
		t.Error("the file of a table that is gone is there")
	}
}

func TestFilesOfAnOrganizationThatIsGoneGoToo(t *testing.T) {
	t.Parallel()
	d := openDrawer(t)
	file := d.upload(t, d.id, "a")
	d.create(t, d.id, `{"Files":["`+file+`"]}`)
	if err := organization.Delete(t.Context(), d.db, d.actor.Org, uuid.New()); err != nil {
		t.Fatal(err)
	}
	d.later(t, 0)
	d.later(t, 2)
	if !d.there(t, file) {
		t.Error("it is gone while the organization can be restored")
	}
	if err := organization.Purge(t.Context(), d.db, d.actor.Org, 0); err != nil {
		t.Fatal(err)
	}
	d.later(t, 0)
	d.later(t, 2)
	if d.there(t, file) {
		t.Error("it is there")
	}
}

// A write that puts a file into a cell holds it until it ends; the sweep waits, and finds it kept.
// The other way round the write is refused.
func TestAFileIsNotRemovedUnderAWriteThatPutsItIntoACell(t *testing.T) {
	t.Parallel()
	admin := tenancytest.Admin(t)
	d := openDrawer(t)
	file := d.upload(t, d.id, "a")
	u, err := id.Parse(id.Attachment, file)
	if err != nil {
		t.Fatal(err)
	}
	swept := make(chan error, 1)
	err = d.db.Tx(t.Context(), d.actor.Org, func(tx pgx.Tx) error {
		_, err := tx.Exec(t.Context(),
			"update rowhouse.attachment set created_at = now() - interval '3 days' where org_id = $1", d.actor.Org)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	err = d.db.Tx(t.Context(), d.actor.Org, func(tx pgx.Tx) error {
		batch := &pgx.Batch{}
		attachment.Retain(batch, d.actor.Org, d.id, []uuid.UUID{u}, "RH004")
		if err := tx.SendBatch(t.Context(), batch).Close(); err != nil {
			return err
		}
		go func() { swept <- d.sweeper.SweepOrg(t.Context(), d.actor.Org) }()
		for range 5000 {
			waiting := false
			err := admin.QueryRow(t.Context(),
				"select exists(select from pg_stat_activity where $1 = any (pg_blocking_pids(pid)))",
				tx.Conn().PgConn().PID()).Scan(&waiting)
			if err != nil || waiting {
				return err
			}
			time.Sleep(time.Millisecond)
		}
		return errors.New("the sweep does not wait")
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := <-swept; err != nil {
		t.Fatal(err)
	}
	if !d.there(t, file) {
		t.Error("it was removed under the write")
	}
}
