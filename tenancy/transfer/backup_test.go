package transfer_test

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"filippo.io/age"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/outbound/bucket/buckettest"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/organization"
	"github.com/rowhouse/rowhouse/tenancy/schema"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
	"github.com/rowhouse/rowhouse/tenancy/transfer"
	"github.com/rowhouse/rowhouse/tenancy/transfer/archive"
)

// ports makes a base with links, files and people.
func (h *house) ports(records int) {
	h.t.Helper()
	base, err := h.s.Schema.CreateBase(h.ctx, h.actor.Org, h.workspace, "Harbour")
	h.must(err)
	h.base = base.ID
	for _, name := range []string{"Ports", "Calls"} {
		_, err = h.s.Schema.CreateTable(h.ctx, h.actor.Org, base.ID, name, []catalog.FieldSpec{
			{Name: "Name", Type: schema.Text},
			{Name: "Number", Type: "auto_number"},
			{Name: "Papers", Type: "attachment"},
			{Name: "Owner", Type: "user"},
		})
		h.must(err)
	}
	h.field("Calls", "Port", "link", `{"linkedTableId":"`+h.table("Ports").PublicID()+`"}`)
	h.field("Ports", "Visits", "count", `{"linkFieldId":"`+h.fieldID("Ports", "Calls")+`"}`)
	paper := h.file("Ports", "paper.txt", []byte("a paper"))
	ports := h.create("Ports", fmt.Sprintf(`{"Name":"Solveig","Papers":[{"id":%q}]}`, paper))
	for block := range (records + 99) / 100 {
		var calls []string
		for n := range min(100, records-100*block) {
			calls = append(calls, fmt.Sprintf(`{"Name":"call %d.%d","Port":[%q]}`, block, n, ports[0]))
		}
		h.create("Calls", calls...)
	}
}

// setting is one for a server.
func setting(server *buckettest.Server) *transfer.BackupSetting {
	to := server.Destination()
	to.Prefix = "rowhouse"
	return &transfer.BackupSetting{Destination: *to, KeepDays: 7, Attachments: true}
}

// backUp makes a backup of the base of the house, and returns how it ended.
func (h *house) backUp() *transfer.Backup {
	h.t.Helper()
	n, err := h.s.BeginBackups(h.ctx, h.actor.Org, h.base, h.actor.Person)
	h.must(err)
	if n != 1 {
		h.t.Fatalf("%d backups began", n)
	}
	which := h.latest().ID
	for range 200 {
		if err := h.s.Run(h.ctx, h.actor.Org, which); err != nil {
			h.t.Log(err)
		}
		if one := h.latest(); one.State != transfer.BackupRunning {
			return one
		}
		time.Sleep(50 * time.Millisecond)
	}
	h.t.Fatal("the backup does not end")
	return nil
}

func (h *house) latest() *transfer.Backup {
	h.t.Helper()
	found, err := h.s.Backups(h.ctx, h.actor.Org, uuid.Nil, 1)
	h.must(err)
	if len(found) == 0 {
		h.t.Fatal("there is no backup")
	}
	return &found[0]
}

// left says what backups have left behind in the organization.
func (h *house) left() string {
	h.t.Helper()
	var bases, files, changes, trash int
	h.must(h.s.DB.Batch(h.ctx, h.actor.Org, func(b *pgx.Batch) {
		for sql, into := range map[string]*int{
			"select count(*) from rowhouse.base where org_id = $1 and scratch is not null": &bases,
			"select count(*) from rowhouse.attachment where org_id = $1":                   &files,
			"select count(*) from rowhouse.trash where org_id = $1":                        &trash,
			`select count(distinct c.table_number) from ` + organization.SchemaName(h.actor.Org) + `.change c
				where $1::uuid is not null and cardinality(c.records) > 0`: &changes,
		} {
			b.Queue(sql, h.actor.Org).QueryRow(func(row pgx.Row) error { return row.Scan(into) })
		}
	}))
	return fmt.Sprintf("%d scratch bases, %d files, %d in the trash, changes of %d tables", bases, files, trash,
		changes)
}

// notified counts the unread notices of backups of a person.
func (h *house) notified(person uuid.UUID) int {
	h.t.Helper()
	page, err := h.s.BackupNotices(h.ctx, h.actor.Org, person, true, uuid.Nil, 10)
	h.must(err)
	return page.Unread
}

const nothingLeft = "0 scratch bases, 1 files, 0 in the trash, changes of 2 tables"

func TestABackupIsRestoredAndCompared(t *testing.T) {
	t.Parallel()
	h, server := newHouse(t, t.TempDir()), buckettest.New(t)
	h.ports(250)
	h.must(h.s.SetBackups(h.ctx, h.actor.Org, h.actor.Person, setting(server)))
	got := h.backUp()
	if got.State != transfer.BackupGood || got.Records != 251 || got.Tables != 2 || got.Files != 1 ||
		got.Message != "" {
		t.Fatalf("the backup is %+v", got)
	}
	raw := server.Object(got.Object)
	a, err := archive.Open(bytes.NewReader(raw), int64(len(raw)))
	h.must(err)
	h.must(a.Verify(t.Context()))
	if a.Base.Name != "Harbour" || got.Bytes != int64(len(raw)) ||
		!strings.HasPrefix(got.Object, "rowhouse/"+h.snapshot().Base(h.base).PublicID()+"/") {
		t.Errorf("the object %s has the base %q in %d bytes", got.Object, a.Base.Name, len(raw))
	}
	if left := h.left(); left != nothingLeft {
		t.Errorf("there are %s", left)
	}
	if h.notified(h.actor.Person) != 0 {
		t.Error("somebody was notified of a good backup")
	}
	// It is an archive as any other.
	for _, report := range h.bring(raw).Report.Tables {
		if report.Matches == nil || !*report.Matches {
			t.Errorf("what came of %s is something else: %+v", report.Name, report)
		}
	}
}

func TestABackupWithEveryKindOfFieldAndFormerMembersIsGood(t *testing.T) {
	t.Parallel()
	h, server := newHouse(t, t.TempDir()), buckettest.New(t)
	h.everyKind()
	// Somebody who has written records is no member any more.
	h.must(h.s.DB.Batch(h.ctx, h.actor.Org, func(b *pgx.Batch) {
		b.Queue("delete from rowhouse.member where org_id = $1 and person_id <> $2", h.actor.Org, h.actor.Person)
	}))
	h.must(h.s.SetBackups(h.ctx, h.actor.Org, h.actor.Person, setting(server)))
	if got := h.backUp(); got.State != transfer.BackupGood || got.Records == 0 {
		t.Fatalf("the backup is %+v", got)
	}
}

func TestADamagedObjectFailsAndNotifiesAdmins(t *testing.T) {
	t.Parallel()
	for _, encrypted := range []bool{false, true} {
		t.Run(fmt.Sprintf("encrypted %t", encrypted), func(t *testing.T) {
			t.Parallel()
			h, server := newHouse(t, t.TempDir()), buckettest.New(t)
			h.ports(10)
			in := setting(server)
			if encrypted {
				identity, err := age.GenerateX25519Identity()
				h.must(err)
				in.Recipient = identity.Recipient().String()
			}
			h.must(h.s.SetBackups(h.ctx, h.actor.Org, h.actor.Person, in))
			editor := tenancytest.Person(t, h.s.DB)
			h.must(tenancytest.Join(t, h.s.DB, h.actor.Org, editor, organization.Editor))
			server.Damage(true)
			got := h.backUp()
			if got.State != transfer.BackupFailed || !strings.Contains(got.Message, "not what was written") {
				t.Errorf("the backup is %+v", got)
			}
			if h.notified(h.actor.Person) != 1 || h.notified(editor) != 0 {
				t.Errorf("the owner was notified %d times, and the editor %d", h.notified(h.actor.Person),
					h.notified(editor))
			}
			if left := h.left(); left != nothingLeft {
				t.Errorf("there are %s", left)
			}
			h.must(h.s.MarkBackupNoticesRead(h.ctx, h.actor.Org, h.actor.Person, nil, true))
			if h.notified(h.actor.Person) != 0 {
				t.Error("what was read is unread")
			}
		})
	}
}

func TestAnEncryptedBackupIsOpenedByItsRecipientAlone(t *testing.T) {
	t.Parallel()
	h, server := newHouse(t, t.TempDir()), buckettest.New(t)
	h.ports(10)
	identity, err := age.GenerateX25519Identity()
	h.must(err)
	in := setting(server)
	in.Recipient = identity.Recipient().String()
	h.must(h.s.SetBackups(h.ctx, h.actor.Org, h.actor.Person, in))
	got := h.backUp()
	if got.State != transfer.BackupGood || !got.Encrypted || got.Records != 11 ||
		!strings.HasSuffix(got.Object, ".zip.age") {
		t.Fatalf("the backup is %+v", got)
	}
	sealed := server.Object(got.Object)
	if bytes.Contains(sealed, []byte("manifest.json")) {
		t.Error("the object is not encrypted")
	}
	opened, err := age.Decrypt(bytes.NewReader(sealed), identity)
	h.must(err)
	raw, err := io.ReadAll(opened)
	h.must(err)
	a, err := archive.Open(bytes.NewReader(raw), int64(len(raw)))
	h.must(err)
	h.must(a.Verify(t.Context()))
	if left := h.left(); left != nothingLeft {
		t.Errorf("there are %s", left)
	}
}

func TestWithoutAttachmentsABackupIsGood(t *testing.T) {
	t.Parallel()
	h, server := newHouse(t, t.TempDir()), buckettest.New(t)
	h.ports(1)
	in := setting(server)
	in.Attachments = false
	h.must(h.s.SetBackups(h.ctx, h.actor.Org, h.actor.Person, in))
	got := h.backUp()
	if got.State != transfer.BackupGood || got.Files != 0 ||
		bytes.Contains(server.Object(got.Object), []byte("a paper")) {
		t.Errorf("the backup is %+v", got)
	}
}

func TestABucketThatRefusesNotifiesAdmins(t *testing.T) {
	t.Parallel()
	h, server := newHouse(t, t.TempDir()), buckettest.New(t)
	h.ports(1)
	in := setting(server)
	h.must(h.s.CheckBackups(h.ctx, h.actor.Org, in))
	h.must(h.s.TestDestination(h.ctx, &in.Destination))
	h.must(h.s.SetBackups(h.ctx, h.actor.Org, h.actor.Person, in))
	server.Refuse("PUT", "AccessDenied")
	got := h.backUp()
	if got.State != transfer.BackupFailed || !strings.Contains(got.Message, "AccessDenied (HTTP 403)") || got.Uploaded {
		t.Errorf("the backup is %+v", got)
	}
	if h.notified(h.actor.Person) != 1 {
		t.Errorf("the owner was notified %d times", h.notified(h.actor.Person))
	}
}

func TestOldBackupsAreDeletedButNeverTheLastGoodOne(t *testing.T) {
	t.Parallel()
	h, server := newHouse(t, t.TempDir()), buckettest.New(t)
	h.ports(1)
	h.must(h.s.SetBackups(h.ctx, h.actor.Org, h.actor.Person, setting(server)))
	ages := func(days int) {
		h.must(h.s.DB.Batch(h.ctx, h.actor.Org, func(b *pgx.Batch) {
			b.Queue("update rowhouse.backup set started_at = now() - make_interval(days => $2) where org_id = $1",
				h.actor.Org, days)
		}))
	}
	first := h.backUp()
	ages(30)
	server.Damage(true)
	if got := h.backUp(); got.State != transfer.BackupFailed {
		t.Fatalf("the backup is %+v", got)
	}
	if server.Object(first.Object) == nil {
		t.Fatal("the last good backup was deleted")
	}
	ages(30)
	server.Damage(false)
	server.Refuse("DELETE", "AccessDenied")
	second := h.backUp()
	if second.State != transfer.BackupGood || !strings.Contains(second.Message, "AccessDenied") {
		t.Fatalf("the backup is %+v", second)
	}
	server.Refuse("DELETE", "")
	third := h.backUp()
	if keys := server.Keys(); len(keys) != 2 || server.Object(second.Object) == nil ||
		server.Object(third.Object) == nil {
		t.Errorf("what is left is %v", keys)
	}
}

func TestTheNightBeginsABackupOfEachBaseOnce(t *testing.T) {
	t.Parallel()
	h, server := newHouse(t, t.TempDir()), buckettest.New(t)
	h.ports(1)
	_, err := h.s.Schema.CreateBase(h.ctx, h.actor.Org, h.workspace, "Another")
	h.must(err)
	h.must(h.s.SetBackups(h.ctx, h.actor.Org, h.actor.Person, setting(server)))
	count := func() int {
		h.must(h.s.BeginDueBackups(h.ctx))
		found, err := h.s.Backups(h.ctx, h.actor.Org, uuid.Nil, 10)
		h.must(err)
		return len(found)
	}
	if n := count(); n != 0 {
		t.Errorf("%d backups began before the night", n)
	}
	h.must(h.s.DB.Batch(h.ctx, h.actor.Org, func(b *pgx.Batch) {
		b.Queue("update rowhouse.backup_setting set next_at = now() where org_id = $1", h.actor.Org)
	}))
	if first, second := count(), count(); first != 2 || second != 2 {
		t.Errorf("%d and then %d backups began", first, second)
	}
	now, err := h.s.BackupSetting(h.ctx, h.actor.Org)
	h.must(err)
	if hour := now.NextAt.UTC().Hour(); !now.NextAt.After(time.Now()) || hour < 1 || hour > 4 {
		t.Errorf("the next backup is at %s", now.NextAt)
	}
	// A backup that no worker has taken is queued again.
	h.s.Work()
	h.must(h.s.DB.Batch(h.ctx, h.actor.Org, func(b *pgx.Batch) {
		b.Queue("update rowhouse.job set queued_at = null where org_id = $1", h.actor.Org)
	}))
	queued := 0
	for n := 0; n < 20 && queued < 2; n++ { // other tests have jobs, too, and a sweep queues 100
		h.must(h.s.Sweep(h.ctx))
		h.must(h.s.DB.Batch(h.ctx, h.actor.Org, func(b *pgx.Batch) {
			b.Queue("select count(*) from rowhouse.job where org_id = $1 and queued_at is not null", h.actor.Org).
				QueryRow(func(row pgx.Row) error { return row.Scan(&queued) })
		}))
	}
	if queued != 2 {
		t.Errorf("the sweep has queued %d backups", queued)
	}
	// Switching off ends them.
	h.must(h.s.ForgetBackups(h.ctx, h.actor.Org))
	if got := h.latest(); got.State != transfer.BackupFailed {
		t.Errorf("the backup is %+v", got)
	}
}

func TestAnotherOrganizationSeesNothingOfBackups(t *testing.T) {
	t.Parallel()
	h, other, server := newHouse(t, t.TempDir()), newHouse(t, t.TempDir()), buckettest.New(t)
	h.ports(1)
	h.must(h.s.SetBackups(h.ctx, h.actor.Org, h.actor.Person, setting(server)))
	server.Damage(true)
	h.backUp()
	for _, table := range []string{"backup", "backup_setting", "backup_notice"} {
		count := func(org uuid.UUID) (n int) {
			h.must(h.s.DB.Batch(h.ctx, org, func(b *pgx.Batch) {
				b.Queue("select count(*) from rowhouse." + table).
					QueryRow(func(row pgx.Row) error { return row.Scan(&n) })
			}))
			return n
		}
		mine, theirs := count(h.actor.Org), count(other.actor.Org)
		if mine != 1 || theirs != 0 {
			t.Errorf("of %s the organization sees %d rows, and another one %d", table, mine, theirs)
		}
	}
}

// Workers are killed at random moments, and the backup is made and tested once, with nothing left behind.
func TestAKilledBackupGoesOn(t *testing.T) {
	t.Parallel()
	const kills = 4
	h, server := newHouse(t, t.TempDir()), buckettest.New(t)
	h.ports(5000)
	h.must(h.s.SetBackups(h.ctx, h.actor.Org, h.actor.Person, setting(server)))
	_, err := h.s.BeginBackups(h.ctx, h.actor.Org, h.base, h.actor.Person)
	h.must(err)
	killed := 0
	for until := time.Now().Add(2 * time.Minute); ; {
		killed += work(t, h.folder, h.actor.Org, h.latest().ID, killed < kills)
		got := h.latest()
		if got.State == transfer.BackupRunning {
			if time.Now().After(until) {
				t.Fatal("the backup does not end")
			}
			continue
		}
		if t.Logf("%d workers were killed", killed); killed == 0 {
			t.Error("the backup ended before a worker was killed")
		}
		if got.State != transfer.BackupGood || got.Records != 5001 || len(server.Keys()) != 1 {
			t.Errorf("the backup is %+v, among %v", got, server.Keys())
		}
		if left := h.left(); left != nothingLeft {
			t.Errorf("there are %s", left)
		}
		return
	}
}

// While a backup is tested, its scratch base is in no schema that anybody gets.
func TestNobodySeesAScratchBase(t *testing.T) {
	t.Parallel()
	h := newHouse(t, t.TempDir())
	h.ports(1)
	made, err := h.s.Scratch.Schema().Build(h.ctx, h.actor.Org, 0, func([]int32) (*catalog.Blueprint, error) {
		return &catalog.Blueprint{Base: &catalog.NewBase{
			ID: uuid.Must(uuid.NewV7()), Workspace: h.workspace, Name: "Scratch", TimeZone: "UTC", Scratch: uuid.New(),
		}}, nil
	})
	h.must(err)
	if h.snapshot().Base(made.Base) != nil {
		t.Error("the scratch base is in the schema")
	}
	whole, err := h.s.Scratch.Schema().Fresh(h.ctx, h.actor.Org)
	h.must(err)
	if whole.Base(made.Base) == nil {
		t.Error("the scratch base is not in the schema of backups")
	}
	if err := h.s.Scratch.Schema().DropScratch(h.ctx, h.actor.Org, h.base); err == nil {
		t.Error("a base that people see was deleted as a scratch base")
	}
	// The next backup deletes what another one has left.
	h.must(h.s.SetBackups(h.ctx, h.actor.Org, h.actor.Person, setting(buckettest.New(t))))
	_, err = h.s.BeginBackups(h.ctx, h.actor.Org, h.base, h.actor.Person)
	h.must(err)
	if left, err := h.s.Schema.ScratchBases(h.ctx, h.actor.Org); err != nil || len(left) != 0 {
		t.Errorf("%d scratch bases are left, %v", len(left), err)
	}
}
