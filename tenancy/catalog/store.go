package catalog

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
	"github.com/hashicorp/golang-lru/v2/expirable"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/changelog"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/organization/audit"
	"github.com/rowhouse/rowhouse/tenancy/plan"
	"github.com/rowhouse/rowhouse/tenancy/schema"
)

const (
	// Limits of a process's cache of snapshots: organizations, and tables, fields and views in
	// total, which take up to a kilobyte each. The least recently used snapshots are evicted.
	cachedOrgs    = 4096
	cachedObjects = 150_000
)

// A Store loads snapshots of schemas and changes schemas. It is safe for concurrent use by any number
// of processes on one database. A snapshot may be outdated, so code that acts on one asserts its
// version (db.TableRef) or asks for it with Fresh.
type Store struct {
	db *db.DB
	*memory
	plans    *plan.Tokens // nil: nothing can be planned
	planning *planning    // nil: the store's change is neither planned nor applies a plan
}

// memory is the cache that stores on one database share, whatever their actor.
type memory struct {
	cache   *expirable.LRU[uuid.UUID, *schema.Snapshot]
	most    int64        // objects
	objects atomic.Int64 // in the cache

	options Options

	mu      sync.Mutex
	loading map[uuid.UUID]*load // single flight: a hundred requests that miss make one load
}

type load struct {
	done     chan struct{}
	snapshot *schema.Snapshot
	err      error
}

// Options are what a store may use. The zero value is usable.
type Options struct {
	// Fills queues the tables whose columns a change leaves to be filled. If it is nil, the sweep of a FillWorker
	// finds them.
	Fills *FillQueue
	// Rights is notified of changes of permissions. If it is nil, other processes notice them when they load the schema
	// again.
	Rights Rights
	// Scratch has the snapshots contain scratch bases too, in which a backup is tested and which nobody sees.
	Scratch bool
}

// Rights invalidates what every process has cached of people's rights.
type Rights interface {
	Invalidate(ctx context.Context, people ...uuid.UUID) error
}

// NewStore returns a store on db.
func NewStore(tenantDB *db.DB, options Options) *Store {
	s := &Store{db: tenantDB, memory: newMemory(cachedObjects)}
	s.options = options
	return s
}

func newMemory(most int64) *memory {
	m := &memory{most: most, loading: map[uuid.UUID]*load{}}
	m.cache = expirable.NewLRU(cachedOrgs, func(_ uuid.UUID, gone *schema.Snapshot) { m.objects.Add(-gone.Size()) }, 0)
	return m
}

// Cached returns a snapshot that may be outdated, without a query if the process has one. It serves the
// hot path, whose statements fail if they were written for another version. It is the snapshot of the context's caller
// (WithCaller), with permissions no older than the caller's rights.
func (s *Store) Cached(ctx context.Context, org uuid.UUID) (*schema.Snapshot, error) {
	snapshot, ok := s.cache.Get(org)
	if !ok || isOutdated(ctx, snapshot) {
		return s.Reload(ctx, org)
	}
	return ofCaller(ctx, snapshot), nil
}

// Known returns the whole snapshot of the organization that the process has, whoever asks, without a
// query; false if it has none.
func (s *Store) Known(org uuid.UUID) (*schema.Snapshot, bool) { return s.cache.Peek(org) }

// Fresh returns the current snapshot of the context's caller. It costs one round trip if the process has it already.
func (s *Store) Fresh(ctx context.Context, org uuid.UUID) (*schema.Snapshot, error) {
	return s.FreshAfter(ctx, org, nil)
}

// FreshAfter returns a snapshot that is not older than what the statements of first, unless nil, have
// seen. They take the same round trip.
func (s *Store) FreshAfter(ctx context.Context, org uuid.UUID, first func(b *pgx.Batch)) (*schema.Snapshot, error) {
	cached, ok := s.cache.Get(org)
	if !ok {
		if first != nil {
			if err := s.db.Batch(ctx, org, first); err != nil {
				return nil, err
			}
		}
		return s.Reload(ctx, org)
	}
	var version int64
	err := s.db.Batch(ctx, org, func(b *pgx.Batch) {
		if first != nil {
			first(b)
		}
		b.Queue("select schema_version from rowhouse.organization where org_id = $1", org).
			QueryRow(func(row pgx.Row) error { return row.Scan(&version) })
	})
	if errors.Is(err, pgx.ErrNoRows) {
		s.Forget(org)
		return newSnapshot(org, s.db.Topology()), nil
	}
	if err != nil {
		return nil, fmt.Errorf("reading the schema version: %w", err)
	}
	if cached.Version == version {
		return ofCaller(ctx, cached), nil
	}
	return s.Reload(ctx, org)
}

// loadTime bounds a load. Other calls may wait for it, so the deadline of the call that began it
// does not apply.
const loadTime = 20 * time.Second

// Reload loads the snapshot of the context's caller. If a load is already running, the call waits for it and then
// begins another one, so the result is never older than the call.
func (s *Store) Reload(ctx context.Context, org uuid.UUID) (*schema.Snapshot, error) {
	snapshot, err := s.reload(ctx, org)
	if err != nil {
		return nil, err
	}
	return ofCaller(ctx, snapshot), nil
}

func (s *Store) reload(ctx context.Context, org uuid.UUID) (*schema.Snapshot, error) {
	s.mu.Lock()
	running := s.loading[org]
	if running == nil {
		running = s.begin(ctx, org)
		s.mu.Unlock()
		return running.wait(ctx)
	}
	s.mu.Unlock()
	// This load may have read before the call. Its result does not matter, only its end.
	select {
	case <-running.done:
	case <-ctx.Done():
		return nil, goneWaiting(ctx)
	}
	s.mu.Lock()
	next := s.loading[org] // begun after this call, so that its result is fresh enough for all waiters
	if next == nil {
		next = s.begin(ctx, org)
	}
	s.mu.Unlock()
	return next.wait(ctx)
}

// begin starts a load, which continues if the caller is cancelled, because others may wait for it.
// The caller holds s.mu.
func (s *Store) begin(ctx context.Context, org uuid.UUID) *load {
	l := &load{done: make(chan struct{})}
	s.loading[org] = l
	ctx, cancel := context.WithTimeout(db.WithoutSnapshot(context.WithoutCancel(ctx)), loadTime)
	go func() {
		defer func() {
			if p := recover(); p != nil {
				l.snapshot, l.err = nil, fmt.Errorf("loading the schema: %v\n%s", p, debug.Stack())
			}
			cancel()
			s.mu.Lock()
			delete(s.loading, org)
			s.mu.Unlock()
			close(l.done)
		}()
		l.snapshot, l.err = s.read(ctx, org)
	}()
	return l
}

func (l *load) wait(ctx context.Context) (*schema.Snapshot, error) {
	select {
	case <-l.done:
		return l.snapshot, l.err
	case <-ctx.Done():
		return nil, goneWaiting(ctx)
	}
}

func goneWaiting(ctx context.Context) error {
	return problem.Unavailable(fmt.Errorf("waiting for the schema: %w", ctx.Err()))
}

// read loads a snapshot and caches it.
func (s *Store) read(ctx context.Context, org uuid.UUID) (*schema.Snapshot, error) {
	var snapshot *schema.Snapshot
	err := s.db.Batch(ctx, org, func(b *pgx.Batch) {
		snapshot = queueSnapshot(b, org, s.db.Topology(), s.options.Scratch)
	})
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		s.Forget(org)
		return newSnapshot(org, s.db.Topology()), nil
	case err != nil:
		return nil, fmt.Errorf("loading the schema: %w", err)
	}
	snapshot.Complete()
	s.keep(snapshot)
	return snapshot, nil
}

// keep caches a snapshot unless a newer one is cached.
func (m *memory) keep(snapshot *schema.Snapshot) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if have, ok := m.cache.Peek(snapshot.Org); ok {
		if have.Version > snapshot.Version {
			return
		}
		m.cache.Remove(snapshot.Org)
	}
	m.objects.Add(snapshot.Size())
	m.cache.Add(snapshot.Org, snapshot)
	for m.objects.Load() > m.most && m.cache.Len() > 1 { // the last one was added now
		m.cache.RemoveOldest()
	}
}

// Forget evicts an organization's snapshot.
func (s *Store) Forget(org uuid.UUID) { s.cache.Remove(org) }

// A Change is a change of an organization's schema in progress. No other change of the organization
// runs at the same time.
type Change struct {
	pgx.Tx
	Org      uuid.UUID
	Snapshot *schema.Snapshot // the schema as it is, before the change

	touched     map[uuid.UUID]bool
	event       *audit.Event
	origin      db.Origin
	former      *former
	purged      []changelog.ObjectChange // what is logged in addition to the metadata
	restored    map[uuid.UUID]bool
	returned    []returned
	renamed     map[uuid.UUID]map[string]string // options by their former names, by field
	numbered    bool                            // the change has a number in the log
	topology    db.Topology
	unfilled    []int32 // numbers of tables with unfilled computed columns
	planning    *planning
	blind       bool // db.Actor.Blind
	scratch     bool // Options.Scratch
	permissions bool // it changes permissions or groups
}

// SetAuditEvent sets the audit event of the change. Every change needs one.
func (c *Change) SetAuditEvent(event audit.Event) { c.event = &event }

// LockTable waits until no transaction writes to the table, blocks new writers until the change ends,
// and marks the table as changed. Call it before the first statement that alters the table or its
// metadata, and for several tables in the order of their numbers.
func (c *Change) LockTable(ctx context.Context, t *schema.Table) error {
	if c.touched[t.ID] {
		return nil
	}
	if _, err := c.Exec(ctx, "select pg_advisory_xact_lock($1, $2)", db.LockTable, t.Number); err != nil {
		return fmt.Errorf("waiting for writers of the table: %w", err)
	}
	c.touched[t.ID] = true
	return nil
}

// Change runs fn as a change of an organization's schema, and commits it. Changes of one organization
// run one at a time.
func (s *Store) Change(ctx context.Context, org uuid.UUID, fn func(c *Change) error) error {
	actor := db.ActorOf(ctx)
	from := db.OriginOf(actor)
	actor.ChangeSet = from.Set
	ctx = db.WithActor(ctx, actor)
	var unfilled []int32
	var people []uuid.UUID // whose rights the change may have changed
	err := s.db.SchemaTx(ctx, org, func(tx pgx.Tx) error {
		change := &Change{
			Tx: tx, Org: org, touched: map[uuid.UUID]bool{}, restored: map[uuid.UUID]bool{},
			renamed:  map[uuid.UUID]map[string]string{},
			topology: s.db.Topology(), origin: from, planning: s.planning,
			blind: actor.Blind, scratch: s.options.Scratch,
		}
		s.planning.begin()
		batch := &pgx.Batch{}
		batch.Queue("select from rowhouse.organization where org_id = $1 for update", org)
		change.Snapshot = queueSnapshot(batch, org, s.db.Topology(), s.options.Scratch)
		if err := tx.SendBatch(ctx, batch).Close(); err != nil {
			return fmt.Errorf("loading the schema to change it: %w", err)
		}
		change.Snapshot.Complete()
		change.former = formerOf(change.Snapshot)
		if err := s.planning.end(fn(change)); err != nil {
			return err
		}
		if err := change.settle(ctx); err != nil {
			return err
		}
		if change.event == nil {
			return errors.New("a change of the schema tells nothing for the audit log")
		}
		if err := change.log(ctx); err != nil {
			return err
		}
		touched := make([]uuid.UUID, 0, len(change.touched))
		for table := range change.touched {
			touched = append(touched, table)
		}
		version := change.Snapshot.Version + 1
		batch = &pgx.Batch{}
		batch.Queue(
			"update rowhouse.organization set schema_version = $2, permission_version = permission_version + $3 "+
				"where org_id = $1",
			org,
			version,
			change.permissionSteps(),
		)
		batch.Queue("update rowhouse.data_table set version = $2 where org_id = $1 and id = any ($3)",
			org, version, touched)
		audit.Record(ctx, batch, org, change.event)
		err := tx.SendBatch(ctx, batch).Close()
		if err != nil {
			return fmt.Errorf("raising the schema version: %w", err)
		}
		unfilled = change.unfilled
		people, err = change.announcePermissions(ctx, s.options.Rights)
		return err
	})
	if errors.Is(err, errForeseen) {
		return nil
	}
	s.Forget(org)
	if err == nil {
		err = s.afterPermissions(ctx, people)
	}
	if err == nil && s.options.Fills != nil {
		for _, table := range unfilled {
			s.options.Fills.add(ctx, org, table)
		}
	}
	if errors.Is(err, pgx.ErrNoRows) {
		return problem.NotFound("organization", org.String()).Because(err)
	}
	return nameTaken(err)
}
