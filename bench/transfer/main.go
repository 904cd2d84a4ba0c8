// Command transfer measures imports and exports in jobs next to COPY, which moves the same file into and out of a bare
// table of the same PostgreSQL.
//
//	go run ./bench/transfer                 # 1,000,000 rows of 8 fields, with its own PostgreSQL (fsync on)
//	go run ./bench/transfer -rows 100000
//
// It also imports 10,000 rows of 20 typed columns. PostgreSQL and the program share the machine: compare ratios within
// one run.
package main

import (
	"bufio"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"net/url"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"runtime/pprof"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/bench/benchmark"
	"github.com/rowhouse/rowhouse/deploy/local"
	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/migrations"
	"github.com/rowhouse/rowhouse/tenancy/attachment"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/job"
	"github.com/rowhouse/rowhouse/tenancy/organization"
	"github.com/rowhouse/rowhouse/tenancy/record"
	"github.com/rowhouse/rowhouse/tenancy/transfer"
)

func main() {
	dir := flag.String("dir", ".rowhouse/bench", "where PostgreSQL and Redis keep their data")
	rows := flag.Int("rows", 1_000_000, "rows of the file")
	profile := flag.String("cpuprofile", "", "where to write a profile of the program, without PostgreSQL")
	flag.Parse()
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer cancel()
	if *profile != "" {
		to, err := os.Create(*profile)
		if err == nil {
			err = pprof.StartCPUProfile(to)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, "transfer:", err)
			os.Exit(1)
		}
		defer pprof.StopCPUProfile()
	}
	if err := run(ctx, *dir, *rows); err != nil {
		fmt.Fprintln(os.Stderr, "transfer:", err)
		os.Exit(1)
	}
}

// A bench is a service without HTTP, on a database of its own.
type bench struct {
	conn   *pgx.Conn
	store  *transfer.Store
	org    uuid.UUID
	person uuid.UUID
	base   uuid.UUID
}

func run(ctx context.Context, dir string, rows int) (err error) {
	services, err := local.Start(ctx, dir, local.Options{Durable: true, SharedBuffers: "1GB", Progress: os.Stderr})
	if err != nil {
		return fmt.Errorf("starting PostgreSQL and Redis: %w", err)
	}
	defer func() { err = errors.Join(err, services.Stop(context.WithoutCancel(ctx))) }()
	folder, err := os.MkdirTemp("", "rowhouse-bench-")
	if err != nil {
		return fmt.Errorf("making a folder: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	b, closeAll, err := open(ctx, services.AdminURL, folder)
	if err != nil {
		return err
	}
	defer closeAll()
	fmt.Printf("%d rows, load average %s\n", rows, benchmark.MachineLoad())
	file := filepath.Join(folder, "rows.csv")
	if err := write(file, rows, narrow); err != nil {
		return err
	}
	if err := b.compare(ctx, file, rows); err != nil {
		return err
	}
	if err := write(file, 10_000, wide); err != nil {
		return err
	}
	took, memory, _, err := b.importFile(ctx, file)
	if err != nil {
		return err
	}
	fmt.Printf("import of 10,000 rows of 20 typed columns: %.1f s, %d MB above rest\n", took.Seconds(), memory>>20)
	return nil
}

// compare measures COPY and the jobs.
func (b *bench) compare(ctx context.Context, file string, rows int) error {
	const bare = "create table public.bare (name text, email text, amount numeric, status text, notes text, " +
		"due date, done boolean, seen timestamptz)"
	if _, err := b.conn.Exec(ctx, bare); err != nil {
		return fmt.Errorf("creating a table: %w", err)
	}
	content, err := os.Open(file)
	if err != nil {
		return fmt.Errorf("opening the file: %w", err)
	}
	defer func() { _ = content.Close() }()
	began := time.Now()
	_, err = b.conn.PgConn().CopyFrom(ctx, content, "copy public.bare from stdin with (format csv, header)")
	if err != nil {
		return fmt.Errorf("copying the file: %w", err)
	}
	copied := time.Since(began)
	took, memory, table, err := b.importFile(ctx, file)
	if err != nil {
		return err
	}
	fmt.Printf("import: %.1f s, copy %.1f s, %.2f times, %.0f rows/s, %d MB above rest\n", took.Seconds(),
		copied.Seconds(), took.Seconds()/copied.Seconds(), float64(rows)/took.Seconds(), memory>>20)
	if _, err := b.conn.Exec(ctx, "vacuum analyze"); err != nil {
		return fmt.Errorf("vacuuming: %w", err)
	}
	out, err := os.Create(file + ".out")
	if err != nil {
		return fmt.Errorf("creating a file: %w", err)
	}
	defer func() { _ = out.Close() }()
	began = time.Now()
	if _, err := b.conn.PgConn().CopyTo(ctx, out, "copy public.bare to stdout with (format csv, header)"); err != nil {
		return fmt.Errorf("copying the table: %w", err)
	}
	copied = time.Since(began)
	for _, format := range []transfer.Format{transfer.CSV, transfer.NDJSON, transfer.XLSX} {
		if format == transfer.XLSX && rows > 1_000_000 {
			continue
		}
		took, memory, _, err := b.do(ctx, &transfer.Job{Kind: transfer.ExportTable, Table: table},
			transfer.Export{Format: format})
		if err != nil {
			return err
		}
		fmt.Printf("export as %s: %.1f s, copy %.1f s, %.2f times, %d MB above rest\n", format, took.Seconds(),
			copied.Seconds(), took.Seconds()/copied.Seconds(), memory>>20)
	}
	return nil
}

// importFile measures the import of a file, from its upload to its end.
func (b *bench) importFile(ctx context.Context, file string) (time.Duration, uint64, uuid.UUID, error) {
	content, err := os.Open(file)
	if err != nil {
		return 0, 0, uuid.Nil, fmt.Errorf("opening the file: %w", err)
	}
	defer func() { _ = content.Close() }()
	began := time.Now()
	sent, err := b.store.Files.Receive(ctx, b.org, b.person, b.base, attachment.Upload{
		Name: "rows.csv", Size: -1, Content: content,
	})
	if err != nil {
		return 0, 0, uuid.Nil, err
	}
	uploaded := time.Since(began)
	took, memory, table, err := b.do(ctx, &transfer.Job{Kind: transfer.ImportBase, ChangeSet: id.New()},
		transfer.Import{File: sent.ID, OnBad: transfer.Refuse})
	return uploaded + took, memory, table, err
}

// do runs a job, and returns how long it took and by how much the heap grew.
func (b *bench) do(ctx context.Context, j *transfer.Job, request any) (time.Duration, uint64, uuid.UUID, error) {
	encoded, err := json.Marshal(request)
	if err != nil {
		return 0, 0, uuid.Nil, fmt.Errorf("encoding a request: %w", err)
	}
	j.Org, j.Person, j.Base, j.Request = b.org, b.person, b.base, encoded
	runtime.GC()
	var rest runtime.MemStats
	runtime.ReadMemStats(&rest)
	var most atomic.Uint64
	watching, stop := context.WithCancel(ctx)
	defer stop()
	go func() {
		for watching.Err() == nil {
			var now runtime.MemStats
			runtime.ReadMemStats(&now)
			most.Store(max(most.Load(), now.HeapInuse))
			time.Sleep(50 * time.Millisecond)
		}
	}()
	began := time.Now()
	begun, err := b.store.Begin(ctx, j)
	if err == nil {
		err = b.store.Run(ctx, b.org, begun.ID)
	}
	took := time.Since(began)
	if err != nil {
		return 0, 0, uuid.Nil, err
	}
	ended, err := b.store.Get(ctx, b.org, begun.ID)
	if err == nil && ended.State != transfer.Done {
		err = fmt.Errorf("the job is %s: %+v", ended.State, ended.Report)
	}
	if err != nil {
		return 0, 0, uuid.Nil, err
	}
	return took, most.Load() - min(most.Load(), rest.HeapInuse), ended.Table, nil
}

func open(ctx context.Context, admin, folder string) (_ *bench, closeAll func(), err error) {
	name := "transfer_" + strings.ToLower(rand.Text())
	if err := migrations.CreateDatabase(ctx, admin, name); err != nil {
		return nil, nil, err
	}
	target, err := url.Parse(admin)
	if err != nil {
		return nil, nil, fmt.Errorf("reading the URL of PostgreSQL: %w", err)
	}
	target.Path = "/" + name
	b := &bench{person: id.New()}
	if b.conn, err = pgx.Connect(ctx, target.String()); err != nil {
		return nil, nil, fmt.Errorf("connecting: %w", err)
	}
	if err := migrations.Provision(ctx, target.String(), "bench", "bench"); err != nil {
		return nil, nil, err
	}
	target.User = url.UserPassword("bench", "bench")
	if err := migrations.Up(ctx, target.String()); err != nil {
		return nil, nil, err
	}
	tenantDB, err := db.Open(ctx, target.String(), db.Options{Secrets: [][]byte{[]byte(rand.Text() + rand.Text())}})
	if err != nil {
		return nil, nil, err
	}
	queue, err := migrations.Job.URL(target.String())
	if err != nil {
		return nil, nil, err
	}
	jobs, err := job.Open(ctx, queue, job.Options{Queues: transfer.Queues()})
	if err != nil {
		return nil, nil, err
	}
	blobs, err := attachment.NewDisk(filepath.Join(folder, "files"))
	if err != nil {
		return nil, nil, err
	}
	schemas := catalog.NewStore(tenantDB, catalog.Options{})
	b.store = transfer.New(transfer.Options{
		DB: tenantDB, Schema: schemas, Records: record.New(tenantDB, schemas), Jobs: jobs,
		Files: attachment.New(tenantDB, blobs, attachment.Limits{File: 4 << 30}),
	})
	return b, func() { jobs.Close(ctx); tenantDB.Close() }, b.createBase(ctx, schemas)
}

func (b *bench) createBase(ctx context.Context, schemas *catalog.Store) error {
	err := b.store.DB.SystemTx(ctx, func(tx pgx.Tx) error {
		_, err := tx.Exec(ctx, "insert into rowhouse.person (id, email, name) values ($1, 'load@example.com', 'Load')",
			b.person)
		return err
	})
	if err != nil {
		return fmt.Errorf("creating a person: %w", err)
	}
	org, err := organization.Create(ctx, b.store.DB, b.person, "Load")
	if err != nil {
		return err
	}
	b.org = org.ID
	snapshot, err := schemas.Fresh(ctx, org.ID)
	if err != nil {
		return err
	}
	base, err := schemas.CreateBase(ctx, org.ID, snapshot.Workspaces[0].ID, "Load")
	if err != nil {
		return err
	}
	b.base = base.ID
	return nil
}

// write writes a file of rows.
func write(path string, rows int, line func(to *bufio.Writer, n int)) error {
	file, err := os.Create(path)
	if err != nil {
		return fmt.Errorf("creating a file: %w", err)
	}
	to := bufio.NewWriterSize(file, 1<<20)
	for n := -1; n < rows; n++ { // -1 is the line of names
		line(to, n)
	}
	return errors.Join(to.Flush(), file.Close())
}

func narrow(to *bufio.Writer, n int) {
	if n < 0 {
		fmt.Fprintln(to, "Name,Email,Amount,Status,Notes,Due,Done,Seen")
		return
	}
	fmt.Fprintf(to, "Customer %d,customer%d@example.com,%d.5,%s,some words about customer %d,2026-05-%02d,%t,"+
		"2026-01-02T03:04:%02dZ\n", n, n, n%1000, []string{"New", "Open", "Done"}[n%3], n, 1+n%28, n%2 == 0, n%60)
}

func wide(to *bufio.Writer, n int) {
	for i := range 20 {
		if i > 0 {
			_ = to.WriteByte(',') // Flush reports it
		}
		switch {
		case n < 0:
			fmt.Fprintf(to, "Column %d", i)
		case i%5 == 0:
			fmt.Fprintf(to, "text %d %d", n, i)
		case i%5 == 1:
			fmt.Fprintf(to, "%d.25", n*i)
		case i%5 == 2:
			fmt.Fprintf(to, "2026-%02d-%02d", 1+n%12, 1+n%28)
		case i%5 == 3:
			fmt.Fprint(to, n%2 == 0)
		default:
			fmt.Fprintf(to, "person%d@example.com", n)
		}
	}
	_ = to.WriteByte('\n')
}
