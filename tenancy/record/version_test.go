package record_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgerrcode"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/internal/jsonvalue/jsonvaluetest"
	"github.com/rowhouse/rowhouse/internal/pgerror"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/organization/audit"
	"github.com/rowhouse/rowhouse/tenancy/record"
	"github.com/rowhouse/rowhouse/tenancy/schema"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

// Another process renames a field; what this one has in memory says the former name, and every
// statement for it is prepared.
func TestAReadOfARowFollowsWhatAnotherProcessChanged(t *testing.T) {
	t.Parallel()
	b := setup(t)
	u := b.table(t, "T", field("Name", schema.Text), field("Note", schema.Text))
	rows := b.create(t, u, `{"Name":"a","Note":"x"}`, `{"Name":"b","Note":"x"}`, `{"Name":"c","Note":"x"}`)
	absent := id.FormatRecord(b.schema(t, u).Number, uuid.New())
	remote := catalog.NewStore(b.db, catalog.Options{})
	note := b.schema(t, u).FieldByName("Note").ID
	read := func(want string) {
		var all sync.WaitGroup
		for i := range 24 { // more than go in one round trip
			all.Go(func() {
				r, err := b.engine.Get(t.Context(), b.actor, rows[i%3].ID)
				if err != nil || !strings.Contains(string(r), `"`+want+`":"x"`) {
					t.Errorf("after the name %s a row is %s, %v", want, r, err)
				}
				if _, err := b.engine.Get(t.Context(), b.actor, absent); problem.KindOf(err) != problem.KindNotFound {
					t.Errorf("what is not there gave %v", err)
				}
			})
		}
		all.Wait()
	}
	for _, name := range []string{"Note", "One", "Two", "Three", "Four", "Five", "Six", "Seven"} {
		if name != "Note" {
			if err := remote.UpdateField(t.Context(), b.actor.Org, note, catalog.FieldPatch{Name: &name}); err != nil {
				t.Fatal(err)
			}
		}
		read(name)
	}
	if err := remote.DeleteTable(t.Context(), b.actor.Org, u); err != nil {
		t.Fatal(err)
	}
	if _, err := b.engine.Get(t.Context(), b.actor, rows[0].ID); problem.KindOf(err) != problem.KindNotFound {
		t.Errorf("a row of a table that is gone gave %v", err)
	}
}

func TestAFunctionReturnsTheVersionAsLongAsTheTableLives(t *testing.T) {
	t.Parallel()
	b := setup(t)
	u := b.table(t, "T", field("Name", schema.Text))
	kept := b.table(t, "U", field("Name", schema.Text))
	versionOf := func(ref db.TableRef) (version int64, err error) {
		err = b.db.Tx(t.Context(), b.actor.Org, func(tx pgx.Tx) error {
			return tx.QueryRow(t.Context(), "select "+ref.VersionNow()).Scan(&version)
		})
		return version, err
	}
	for range 3 {
		ref := b.schema(t, u).Ref()
		if version, err := versionOf(ref); err != nil || version != ref.Version {
			t.Errorf("version %d is returned as %d, %v", ref.Version, version, err)
		}
		if _, err := b.store.CreateField(
			t.Context(), b.actor.Org, u, field("F"+uuid.NewString(), schema.Number),
		); err != nil {
			t.Fatal(err)
		}
	}
	gone, last := b.schema(t, u).Ref(), b.schema(t, kept).Ref()
	if err := b.store.DeleteTable(t.Context(), b.actor.Org, u); err != nil {
		t.Fatal(err)
	}
	if _, err := versionOf(gone); !pgerror.Is(err, pgerrcode.UndefinedFunction) {
		t.Errorf("the function of a table that is gone: %v", err)
	}
	if version, err := versionOf(last); err != nil || version != last.Version {
		t.Errorf("the other table: %d, %v", version, err)
	}
	tenancytest.DeleteOrg(t, b.db, b.actor.Org)
	if _, err := versionOf(last); !pgerror.Is(err, pgerrcode.UndefinedFunction) {
		t.Errorf("the function of an organization that is gone: %v", err)
	}
}

// A write that waits for a change of the schema under way is written for the schema after it,
// though its transaction began before.
func TestAWriteThatWaitedForAChangeIsWrittenForWhatCameOfIt(t *testing.T) {
	t.Parallel()
	b := setup(t)
	u := b.table(t, "T", field("Name", schema.Text), field("Note", schema.Text))
	row := b.create(t, u, `{"Name":"a","Note":"x"}`)[0].ID
	doomed := b.create(t, u, `{"Name":"b","Note":"x"}`, `{"Name":"c","Note":"x"}`, `{"Name":"d","Note":"x"}`,
		`{"Name":"e","Note":"x"}`)
	note := b.schema(t, u).FieldByName("Note").ID
	writes := map[string]func(former string) error{
		"create": func(former string) error {
			_, err := b.engine.Create(t.Context(), b.actor, u, record.Creation{
				Records: parsed([]string{`{"Name":"new","` + former + `":"y"}`}),
			})
			return err
		},
		"update": func(former string) error {
			_, err := b.engine.UpdateOne(t.Context(), b.actor, row,
				jsonvaluetest.ParseObject([]byte(`{"`+former+`":"y"}`)), false)
			return err
		},
		"upsert": func(former string) error {
			_, err := b.engine.Create(t.Context(), b.actor, u, record.Creation{
				UpsertOn: []string{"Name"},
				Records:  parsed([]string{`{"Name":"a","` + former + `":"y"}`}),
			})
			return err
		},
		"delete": func(former string) error {
			_, err := b.engine.DeleteOne(t.Context(), b.actor, doomed[0].ID)
			doomed = doomed[1:]
			if err == nil {
				return problem.Invalid("", "a deletion asks for no field")
			}
			return err
		},
	}
	former := "Note"
	for round := range 8 { // at first every statement is planned for each run
		for name, write := range writes {
			if name == "delete" && len(doomed) == 0 {
				continue
			}
			began, done := make(chan struct{}), make(chan error, 1)
			next := fmt.Sprintf("%s%d", name, round)
			go func() {
				<-began
				done <- write(former)
			}()
			remote := catalog.NewStore(b.db, catalog.Options{})
			err := remote.Change(t.Context(), b.actor.Org, func(c *catalog.Change) error {
				f := c.Snapshot.Field(note)
				if err := c.LockTable(t.Context(), f.Table); err != nil {
					return err
				}
				began <- struct{}{}
				waiting(t, b, f.Table.Number, 1)
				c.SetAuditEvent(audit.Event{Action: "update_field", Subject: "x"})
				return c.PatchField(t.Context(), f, catalog.FieldPatch{Name: &next})
			})
			if err != nil {
				t.Fatal(err)
			}
			if err := <-done; problem.KindOf(err) != problem.KindInvalid {
				t.Errorf("round %d: a %s that names a field as it was called before gave %v", round, name, err)
			}
			former = next
		}
	}
}

// waiting returns when at least as many transactions wait to write into the table.
func waiting(t *testing.T, b *bundle, number int32, least int) {
	t.Helper()
	admin := tenancytest.Admin(t)
	for range 2000 {
		var n int
		err := admin.QueryRow(t.Context(), `select count(*) from pg_locks
			where locktype = 'advisory' and classid = 20737 and objid = $1 and not granted`, number).Scan(&n)
		if err != nil {
			t.Fatal(err)
		}
		if n >= least {
			return
		}
		time.Sleep(time.Millisecond)
	}
	t.Fatalf("less than %d wait", least)
}
