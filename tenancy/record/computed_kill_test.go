package record_test

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/query"
	"github.com/rowhouse/rowhouse/tenancy/record"
	"github.com/rowhouse/rowhouse/tenancy/schema"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

var computedKills = flag.Int("computed.kills", 3, "processes that TestNothingIsForgottenByAKilledProcess kills")

// killedEnvironment names the variable with what the process that is killed works on.
const killedEnvironment = "ROWHOUSE_TEST_KILLED"

// Processes that change sources and links, and that compute what is marked, are killed at random moments. No column is
// ever out of date without a mark, and another process computes what they left.
func TestNothingIsForgottenByAKilledProcess(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.stores(t)
	parts := b.table(t, "Parts", field("Name", schema.Text), field("Amount", schema.Number))
	orders := b.table(t, "Orders", field("Name", schema.Text))
	b.addField(t, orders, field("Parts", schema.LinkType, fmt.Sprintf(`{"linkedTableId":%q}`,
		b.schema(t, parts).PublicID())))
	for range 10 {
		b.create(t, parts, `{"Name":"p","Amount":1}`)
	}
	for range 40 {
		b.create(t, orders, `{"Name":"o"}`)
	}
	b.addField(t, orders, field("Sum", "rollup", `{"linkFieldId":"Parts","fieldId":"Amount","function":"SUM"}`))
	b.addField(t, orders, field("Twice", "formula", `{"formula":"{Sum} * 2"}`))
	b.addField(t, parts, field("Shared", "rollup", fmt.Sprintf(`{"linkFieldId":%q,"fieldId":"Twice","function":"SUM"}`,
		b.schema(t, parts).Fields[2].Name)))
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	left := 0
	for range *computedKills {
		process := exec.CommandContext(t.Context(), program, "-test.run", "^TestProcessThatIsKilled$")
		process.Env = append(os.Environ(), fmt.Sprintf("%s=%s %s %s %s", killedEnvironment, b.actor.Org, b.actor.Person,
			parts, orders))
		out, err := process.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := process.Start(); err != nil {
			t.Fatal(err)
		}
		if _, err := out.Read(make([]byte, 1)); err != nil { // it is at work
			t.Fatal(err)
		}
		time.Sleep(time.Duration(rand.IntN(300)) * time.Millisecond)
		if err := process.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = process.Wait() // it was killed
		for _, table := range []uuid.UUID{orders, parts} {
			if wrong, err := b.staleness(t.Context(), table); err != nil || wrong > 0 {
				t.Fatalf("%d records are out of date without a mark: %v", wrong, err)
			}
		}
		if b.marks(t) > 0 {
			left++
		}
	}
	b.drain(t)
	for _, table := range []uuid.UUID{orders, parts} {
		if wrong, err := b.staleness(t.Context(), table); err != nil || wrong > 0 {
			t.Errorf("%d records are out of date in the end: %v", wrong, err)
		}
	}
	if marks := b.marks(t); marks > 0 {
		t.Errorf("%d marks are left", marks)
	}
	t.Logf("%d of %d processes left marks", left, *computedKills)
}

// marks counts the marks of the organization.
func (b *bundle) marks(t *testing.T) (marks int) {
	t.Helper()
	err := b.db.Batch(t.Context(), b.actor.Org, func(batch *pgx.Batch) {
		batch.Queue("select count(*) from " + schema.MarkRelation(b.actor.Org)).
			QueryRow(func(row pgx.Row) error { return row.Scan(&marks) })
	})
	if err != nil {
		t.Fatal(err)
	}
	return marks
}

// TestProcessThatIsKilled is no test of its own: it is what TestNothingIsForgottenByAKilledProcess kills.
func TestProcessThatIsKilled(t *testing.T) {
	ids := strings.Fields(os.Getenv(killedEnvironment))
	if len(ids) != 4 {
		t.Skip("only a part of TestNothingIsForgottenByAKilledProcess")
	}
	database := tenancytest.DB(t)
	b := &bundle{db: database, store: catalog.NewStore(database, catalog.Options{}), actor: record.Actor{
		Org: uuid.MustParse(ids[0]), Person: uuid.MustParse(ids[1]),
	}}
	b.engine = record.New(database, b.store)
	_, parts := b.list(t, uuid.MustParse(ids[2]), query.Request{})
	_, orders := b.list(t, uuid.MustParse(ids[3]), query.Request{})
	write := func(id, object string) {
		if _, err := b.engine.UpdateOne(t.Context(), b.actor, id, parsed([]string{object})[0], false); err != nil {
			t.Error(err)
		}
	}
	for range 3 {
		go func() {
			for {
				write(parts[rand.IntN(len(parts))].ID, fmt.Sprintf(`{"Amount":%d}`, rand.IntN(50)))
				write(orders[rand.IntN(len(orders))].ID, fmt.Sprintf(`{"Parts":[%q]}`, parts[rand.IntN(len(parts))].ID))
			}
		}()
	}
	fmt.Println() // which says that it is at work
	for {
		if _, err := b.engine.Recompute(context.WithoutCancel(t.Context()), b.actor.Org, later()); err != nil {
			t.Fatal(err)
		}
	}
}
