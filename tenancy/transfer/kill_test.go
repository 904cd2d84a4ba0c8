package transfer_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/netip"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/outbound/bucket"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/attachment"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/comment"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/job"
	"github.com/rowhouse/rowhouse/tenancy/job/jobtest"
	"github.com/rowhouse/rowhouse/tenancy/plan"
	"github.com/rowhouse/rowhouse/tenancy/record"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
	"github.com/rowhouse/rowhouse/tenancy/transfer"
)

const lease = 1500 * time.Millisecond

// store is a store with its files in a folder.
func store(t *testing.T, folder string) (*transfer.Store, *catalog.Store) {
	t.Helper()
	tenantDB := tenancytest.DB(t)
	blobs, err := attachment.NewDisk(folder)
	if err != nil {
		t.Fatal(err)
	}
	schemas := catalog.NewStore(tenantDB, catalog.Options{})
	tokens, err := transfer.NewTokens(tenancytest.Secrets())
	if err != nil {
		t.Fatal(err)
	}
	plans, err := plan.NewTokens(tenancytest.Secrets())
	if err != nil {
		t.Fatal(err)
	}
	records := record.New(tenantDB, schemas)
	networks := []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}
	return transfer.New(transfer.Options{
		DB: tenantDB, Schema: schemas, Records: records, Comments: comment.New(tenantDB, records), Tokens: tokens,
		Plans:    plans,
		Airtable: airtableClient(os.Getenv("TEST_TRANSFER_AIRTABLE")),
		Files:    attachment.New(tenantDB, blobs, attachment.Limits{File: 1 << 30}),
		Jobs:     jobtest.Open(t, transfer.Queues()),
		Scratch:  record.New(tenantDB, catalog.NewStore(tenantDB, catalog.Options{Scratch: true})).KeepingFormer(),
		Buckets:  bucket.NewOpener(networks),
	}).Leasing(lease), schemas
}

// TestWorker is the worker that TestEveryRowOfAKilledImportComesOnce kills.
func TestWorker(t *testing.T) {
	folder := os.Getenv("TEST_TRANSFER_FOLDER")
	if folder == "" {
		t.Skip("it is a process of another test")
	}
	s, _ := store(t, folder)
	for {
		err := s.Run(t.Context(), uuid.MustParse(os.Getenv("TEST_TRANSFER_ORG")),
			uuid.MustParse(os.Getenv("TEST_TRANSFER_JOB")))
		if err != nil && !errors.Is(err, job.Snooze(0)) {
			t.Log(err)
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// Workers are killed at random moments. TEST_KILLS is how many, for a longer run.
func TestEveryRowOfAKilledImportComesOnce(t *testing.T) {
	t.Parallel()
	kills := 20
	if n, err := strconv.Atoi(os.Getenv("TEST_KILLS")); err == nil {
		kills = n
	}
	rows := 10_000 * kills
	folder := t.TempDir()
	s, schemas := store(t, folder)
	org, owner := tenancytest.Org(t, s.DB)
	ctx := db.WithActor(t.Context(), db.Actor{Person: owner})
	workspace, err := schemas.CreateWorkspace(ctx, org, "Spare", "")
	if err != nil {
		t.Fatal(err)
	}
	base, err := schemas.CreateBase(ctx, org, workspace.ID, "Base")
	if err != nil {
		t.Fatal(err)
	}
	var csv bytes.Buffer
	csv.WriteString("Number,Name\n")
	for n := range rows {
		name := fmt.Sprint("row ", n)
		if n%1000 == 999 {
			name = `"broken", "too, long", cells`
		}
		fmt.Fprintf(&csv, "%d,%s\n", n, name)
	}
	file, err := s.Files.Receive(ctx, org, owner, base.ID, attachment.Upload{
		Name: "rows.csv", Size: int64(csv.Len()), Content: &csv,
	})
	if err != nil {
		t.Fatal(err)
	}
	request, err := json.Marshal(transfer.Import{
		File: file.ID, OnBad: transfer.Refuse, Columns: []transfer.ImportColumn{{Type: "number"}, {Type: "text"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	begun, err := s.Begin(ctx, &transfer.Job{
		Org: org, Kind: transfer.ImportBase, Person: owner, Base: base.ID, Request: request, ChangeSet: id.New(),
	})
	if err != nil {
		t.Fatal(err)
	}
	killed := 0
	for until := time.Now().Add(10 * time.Minute); ; {
		killed += work(t, folder, org, begun.ID, killed < kills)
		j, err := s.Get(t.Context(), org, begun.ID)
		if err != nil {
			t.Fatal(err)
		}
		if j.State.Ended() {
			check(t, s, j, rows)
			if t.Logf("%d workers were killed", killed); killed == 0 {
				t.Error("the import ended before a worker was killed")
			}
			return
		}
		if time.Now().After(until) {
			t.Fatalf("the job has come to %d of %d rows", j.Done, rows)
		}
	}
}

// work runs a worker until it is killed at a random moment, or the job has ended. It returns how many were killed.
func work(t *testing.T, folder string, org, which uuid.UUID, kill bool) int {
	t.Helper()
	return workWith(t, folder, org, which, kill)
}

// workWith is work with more in the environment of the worker.
func workWith(t *testing.T, folder string, org, which uuid.UUID, kill bool, environment ...string) int {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	worker := exec.CommandContext(ctx, os.Args[0], "-test.run=^TestWorker$")
	worker.Env = append(os.Environ(), "TEST_TRANSFER_FOLDER="+folder, "TEST_TRANSFER_ORG="+org.String(),
		"TEST_TRANSFER_JOB="+which.String())
	worker.Env = append(worker.Env, environment...)
	if err := worker.Start(); err != nil {
		t.Fatal(err)
	}
	s, _ := store(t, folder)
	life := time.Minute
	if kill { // from before it has the lease until it has written some parts
		life = time.Duration(rand.Int64N(int64(900 * time.Millisecond)))
	}
	dead, ended := time.Now().Add(life), false
	for !ended && time.Now().Before(dead) {
		j, err := s.Get(t.Context(), org, which)
		ended = err == nil && j.State.Ended()
		time.Sleep(10 * time.Millisecond)
	}
	cancel()
	_ = worker.Wait() // it was killed
	if kill && !ended {
		return 1
	}
	return 0
}

// check compares the records with the file.
func check(t *testing.T, s *transfer.Store, j *transfer.Job, rows int) {
	t.Helper()
	if j.State != transfer.Done || j.Done != int64(rows) {
		t.Fatalf("the job is %s with %d rows: %+v", j.State, j.Done, j.Report)
	}
	report := j.Report.Tables[0]
	if report.Created != rows-rows/1000 || report.Refused != rows/1000 || len(report.Refusals) != rows/1000 {
		t.Errorf("the report says %d created, %d refused, with %d mistakes", report.Created, report.Refused,
			len(report.Refusals))
	}
	snapshot, err := s.Schema.Fresh(t.Context(), j.Org)
	if err != nil {
		t.Fatal(err)
	}
	table := snapshot.Table(j.Table)
	var all, distinct, sets int
	err = s.DB.TableBatch(t.Context(), j.Org, table.Ref(), func(b *pgx.Batch) {
		column := "t." + table.FieldByName("Number").Column()
		b.Queue("select count(*), count(distinct " + column + ") from " + table.Relation() + " t").
			QueryRow(func(row pgx.Row) error { return row.Scan(&all, &distinct) })
	})
	if err != nil {
		t.Fatal(err)
	}
	err = s.DB.Batch(t.Context(), j.Org, func(b *pgx.Batch) {
		b.Queue("select count(*) from rowhouse.data_table where org_id = $1", j.Org).
			QueryRow(func(row pgx.Row) error { return row.Scan(&sets) })
	})
	if err != nil {
		t.Fatal(err)
	}
	if want := rows - rows/1000; all != want || distinct != want || sets != 1 {
		t.Errorf("%d records of %d rows are in %d tables; %d are expected", all, distinct, sets, want)
	}
	if strings.Contains(fmt.Sprint(j.Report), string(problem.KindInternal)) {
		t.Errorf("the report is %+v", j.Report)
	}
}
