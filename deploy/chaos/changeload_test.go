//go:build chaos

package chaos

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rowhouse/rowhouse/cmd/rowhouse/rowhousetest"
	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/tenancy/changelog"
)

// A changeLoad does every kind of write to two linked tables, and remembers what was acknowledged.
type changeLoad struct {
	e      *environment
	t      *testing.T
	tenant *tenant
	tables [2]changedTable
	value  atomic.Int64 // makes every update change something

	mu           sync.Mutex
	deletions    []deletion
	acknowledged []acknowledgement
	did          map[string]int
	sent         int
	refused      map[int]int
}

type changedTable struct {
	id    string
	links []changedLink
	rows  []string // ids of records that may be deleted
	keyed []string // ids of those that upserts have made
}

type changedLink struct {
	name     string
	maxLinks int // records that the field is given
}

// A deletion is one that can be reverted.
type deletion struct {
	from *changedTable
	set  string
	rows []string
}

// newChangeLoad makes two tables with links of several and of single records between them.
func (e *environment) newChangeLoad(
	t *testing.T, p *process, n *tenant, person *rowhousetest.Person,
) *changeLoad {
	t.Helper()
	l := &changeLoad{e: e, t: t, tenant: n, did: map[string]int{}, refused: map[int]int{}}
	for i, name := range []string{"Left", "Right"} {
		l.tables[i].id = e.create(t, p, n.key, "/api/v1/bases/"+n.base+"/tables", fmt.Sprintf(`{"name":%q,"fields":[`+
			`{"name":"Name","type":"text"},{"name":"Number","type":"number"},{"name":"Key","type":"number"}]}`, name))
	}
	send := func(method, path, body string) string { // a key may not create links
		response, text := person.Send(method, "/api/v1"+path, "application/json", body)
		if response.StatusCode != http.StatusOK {
			t.Fatalf("creating a link: %d %s", response.StatusCode, text)
		}
		return text
	}
	for _, link := range []changedLink{{"Many", 2}, {"One", 1}} {
		config := fmt.Sprintf(`"multiple":%t`, link.maxLinks > 1)
		send(http.MethodPost, "/tables/"+l.tables[0].id+"/fields", fmt.Sprintf(
			`{"name":%q,"type":"link","config":{"linkedTableId":%q,%s}}`, link.name, l.tables[1].id, config))
		var made struct{ Fields []struct{ ID, Type string } }
		text := send(http.MethodGet, "/tables/"+l.tables[1].id+"/fields", "")
		if err := json.Unmarshal([]byte(text), &made); err != nil || made.Fields[len(made.Fields)-1].Type != "link" {
			t.Fatalf("the other side of a link: %s %v", text, err)
		}
		inverse := changedLink{link.name + " inverse", link.maxLinks}
		send(http.MethodPatch, "/fields/"+made.Fields[len(made.Fields)-1].ID,
			fmt.Sprintf(`{"name":%q,"config":{%s}}`, inverse.name, config))
		l.tables[0].links = append(l.tables[0].links, link)
		l.tables[1].links = append(l.tables[1].links, inverse)
	}
	return l
}

// seed writes records with links, whatever versions the binary reports for them.
func (l *changeLoad) seed(t *testing.T, p *process, many int) {
	t.Helper()
	random := rand.New(rand.NewPCG(0, 0))
	for i := range many {
		table := &l.tables[i%2]
		body, err := json.Marshal(map[string]any{
			"records": []any{map[string]any{"fields": l.values(random, i%2)}},
		})
		if err != nil {
			t.Fatal(err)
		}
		status, raw, err := l.e.request(p, http.MethodPost, "/api/v1/tables/"+table.id+"/records", l.tenant.key,
			string(body))
		var made struct{ Records []struct{ ID string } }
		if err != nil || status != http.StatusOK || json.Unmarshal(raw, &made) != nil || len(made.Records) != 1 {
			t.Fatalf("writing a record: %d %s %v", status, raw, err)
		}
		table.rows = append(table.rows, made.Records[0].ID)
	}
}

// A change is one request of the load.
type change struct {
	what, method, path string
	body               map[string]any
	read               func(raw []byte) ([]answeredRecord, changelog.Kind, error)
	keep               func(set string, records []answeredRecord) // with the lock
}

// write writes until stop is closed, each time to the process that current returns.
func (l *changeLoad) write(seed int, current func() *process, stop <-chan struct{}) {
	random := rand.New(rand.NewPCG(uint64(seed), 1))
	for {
		select {
		case <-stop:
			return
		default:
		}
		p := current()
		if p == nil {
			time.Sleep(5 * time.Millisecond)
			continue
		}
		if !l.send(p, l.draw(random)) {
			time.Sleep(5 * time.Millisecond)
		}
	}
}

// run writes with several clients for a time.
func (l *changeLoad) run(clients int, long time.Duration, current func() *process) {
	stop := make(chan struct{})
	var all sync.WaitGroup
	for i := range clients {
		all.Go(func() { l.write(i, current, stop) })
	}
	time.Sleep(long)
	close(stop)
	all.Wait()
}

// send sends a change and remembers its answer. It reports whether it was acknowledged.
func (l *changeLoad) send(p *process, c change) bool {
	body := ""
	if c.body != nil {
		text, err := json.Marshal(c.body)
		if err != nil {
			l.t.Error(err)
			return false
		}
		body = string(text)
	}
	response, raw, err := l.e.exchange(p, c.method, "/api/v1"+c.path, l.tenant.key, body, nil)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.sent++
	if err != nil {
		l.refused[0]++
		return false
	}
	if status := response.StatusCode; status != http.StatusOK {
		l.refused[status]++
		if status >= http.StatusInternalServerError && status != http.StatusServiceUnavailable {
			l.t.Errorf("%s: %d %s", c.what, status, raw)
		}
		return false
	}
	header := response.Header.Get("Change-Set")
	set, err := id.Parse(id.ChangeSet, header)
	var records []answeredRecord
	var kind changelog.Kind
	if err == nil {
		records, kind, err = c.read(raw)
	}
	if err != nil {
		l.t.Errorf("%s: change set %q: %v in %.300s", c.what, header, err, raw)
		return false
	}
	l.did[c.what]++
	l.acknowledged = append(l.acknowledged, acknowledgement{set, kind, records})
	if c.keep != nil {
		c.keep(header, records)
	}
	return true
}

// acknowledgements returns what has been acknowledged so far.
func (l *changeLoad) acknowledgements() []acknowledgement {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.acknowledged)
}

// draw draws a change.
func (l *changeLoad) draw(random *rand.Rand) change {
	l.mu.Lock()
	defer l.mu.Unlock()
	at := random.IntN(2)
	t := &l.tables[at]
	records := "/tables/" + t.id + "/records"
	what := random.IntN(20)
	if len(t.rows) < 20 || len(t.rows) < 60 && what < 8 {
		what = random.IntN(2)
	}
	switch what {
	case 0, 2:
		return change{
			"creation", http.MethodPost, records, map[string]any{"fields": l.values(random, at)}, readRecords, t.add,
		}
	case 1, 3:
		return change{"creation of several", http.MethodPost, records, map[string]any{
			"records": several(5, func(int) any { return map[string]any{"fields": l.values(random, at)} }),
		}, readRecords, t.add}
	case 4, 5:
		return l.deletion(random, t, 1)
	case 6:
		return l.deletion(random, t, 3)
	case 7:
		if n := len(l.deletions); n > 0 {
			last := l.deletions[n-1]
			l.deletions = l.deletions[:n-1]
			return l.restoration(last)
		}
		fallthrough
	case 8, 9, 10:
		first := random.IntN(50)
		rows := several(3, func(i int) any {
			values := l.values(random, at)
			values["Key"] = first + i
			return map[string]any{"fields": values}
		})
		return change{
			"upsert", http.MethodPost, records,
			map[string]any{"upsertOn": []string{"Key"}, "records": rows},
			readRecords,
			t.addKeyed,
		}
	case 11, 12, 13:
		ids := t.some(random, 4)
		return change{"update of several", http.MethodPatch, records, map[string]any{
			"records": several(len(ids), func(i int) any {
				return map[string]any{"id": ids[i], "fields": l.values(random, at)}
			}),
		}, readRecords, nil}
	case 14, 15, 16:
		values := l.values(random, at)
		link := t.links[random.IntN(len(t.links))]
		values[link.name] = l.tables[1-at].some(random, random.IntN(link.maxLinks+1))
		return change{
			"change of links", http.MethodPatch, "/records/" + t.some(random, 1)[0],
			map[string]any{"fields": values},
			readRecords, nil,
		}
	}
	// Nothing but a value, so that it may share a transaction with others.
	return change{
		"update", http.MethodPatch, "/records/" + t.some(random, 1)[0],
		map[string]any{"fields": map[string]any{"Number": l.value.Add(1)}},
		readRecords, nil,
	}
}

func several(n int, one func(i int) any) []any {
	out := make([]any, n)
	for i := range out {
		out[i] = one(i)
	}
	return out
}

// values are the fields of a record; every third time they have links.
func (l *changeLoad) values(random *rand.Rand, at int) map[string]any {
	n := l.value.Add(1)
	values := map[string]any{"Name": fmt.Sprintf("row %d", n), "Number": n}
	t := &l.tables[at]
	if random.IntN(3) > 0 {
		return values
	}
	link := t.links[random.IntN(len(t.links))]
	values[link.name] = l.tables[1-at].some(random, random.IntN(link.maxLinks+1))
	return values
}

// some returns different ids of records, fewer if there are not as many.
func (t *changedTable) some(random *rand.Rand, n int) []string {
	all := append(slices.Clone(t.rows), t.keyed...)
	random.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all[:min(n, len(all))]
}

func (t *changedTable) add(_ string, records []answeredRecord) {
	for _, r := range records {
		t.rows = append(t.rows, r.key.String())
	}
}

func (t *changedTable) addKeyed(_ string, records []answeredRecord) {
	for _, r := range records {
		if one := r.key.String(); !slices.Contains(t.keyed, one) {
			t.keyed = append(t.keyed, one)
		}
	}
}

// deletion removes records from the table's list, so that others seldom write them meanwhile.
func (l *changeLoad) deletion(random *rand.Rand, t *changedTable, n int) change {
	ids := make([]string, n)
	for i := range ids {
		at := random.IntN(len(t.rows))
		ids[i] = t.rows[at]
		t.rows = slices.Delete(t.rows, at, at+1)
	}
	c := change{
		what: "deletion", method: http.MethodDelete, path: "/records/" + ids[0], read: named(ids, changelog.Deleted),
		keep: func(set string, _ []answeredRecord) {
			l.deletions = append(l.deletions, deletion{t, set, ids})
		},
	}
	if n > 1 {
		c.what, c.path, c.body = "deletion of several", "/tables/"+t.id+"/records", map[string]any{"ids": ids}
	}
	return c
}

// restoration reverts a deletion.
func (l *changeLoad) restoration(d deletion) change {
	return change{
		what: "revert", method: http.MethodPost, path: "/bases/" + l.tenant.base + "/changes/revert",
		body: map[string]any{"changeSets": []string{d.set}}, read: named(d.rows, changelog.Restored), keep: d.from.add,
	}
}

func recordKeyOf(public string) (recordKey, error) {
	number, u, err := id.ParseRecord(public)
	return recordKey{number, u}, err
}

// named parses the response to a write that does not return the records.
func named(ids []string, kind changelog.Kind) func([]byte) ([]answeredRecord, changelog.Kind, error) {
	return func([]byte) ([]answeredRecord, changelog.Kind, error) {
		out := make([]answeredRecord, len(ids))
		for i, public := range ids {
			var err error
			if out[i].key, err = recordKeyOf(public); err != nil {
				return nil, 0, err
			}
		}
		return out, kind, nil
	}
}

// readRecords parses a response with one record or several.
func readRecords(raw []byte) ([]answeredRecord, changelog.Kind, error) {
	type shown struct {
		ID      string
		Version int64
		Fields  map[string]json.RawMessage
	}
	var answer struct {
		shown
		Records []shown
	}
	if err := json.Unmarshal(raw, &answer); err != nil {
		return nil, 0, err
	}
	if answer.ID != "" {
		answer.Records = []shown{answer.shown}
	}
	out := make([]answeredRecord, len(answer.Records))
	for i, r := range answer.Records {
		key, err := recordKeyOf(r.ID)
		if err != nil {
			return nil, 0, err
		}
		if r.Version == 0 {
			return nil, 0, errors.New("a record without a version")
		}
		out[i] = answeredRecord{key, r.Version, r.Fields}
	}
	if len(out) == 0 {
		return nil, 0, errors.New("no records")
	}
	return out, 0, nil
}
