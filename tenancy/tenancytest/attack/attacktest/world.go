// Package attacktest attacks a database with SQL of an attacker's own. It makes two organizations,
// enters one of them through each login as the product does, runs a corpus of statements, and looks
// in everything that comes back for what belongs to the other. Tests and drills use it; the product
// does not.
package attacktest

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"net/url"
	"regexp"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/migrations"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/record"
)

// A World is a database with an attacker's organization and a victim's.
type World struct {
	Attacker, Victim *Organization

	admin            string // the superuser's URL of the cluster
	name             string // the database
	prefix, password string // of the logins
	cached           map[string]cachedStatement
	guessable        bool // the names of cached statements are not secret
	secrets          []string
	plans            *regexp.Regexp    // finds a plan that names a table of the victim
	numbers          map[string]string // the victim's distinctive numbers, and what each is
}

// New makes a world in a database of its own on the cluster of adminURL. Its logins are its own, so
// that a test may take their defences away.
func New(ctx context.Context, adminURL string) (*World, error) {
	suffix := make([]byte, 6)
	_, _ = rand.Read(suffix) // it never fails
	w := &World{
		admin:    adminURL,
		name:     "rowhouse_attack_" + hex.EncodeToString(suffix),
		password: hex.EncodeToString(suffix),
	}
	w.prefix = w.name
	if err := execute(ctx, adminURL, "create database "+w.name); err != nil {
		return nil, err
	}
	if err := w.build(ctx); err != nil {
		_ = w.Drop(context.WithoutCancel(ctx))
		return nil, err
	}
	return w, nil
}

func (w *World) build(ctx context.Context) error {
	if err := w.provision(ctx); err != nil {
		return err
	}
	if err := migrations.Up(ctx, w.URL()); err != nil {
		return fmt.Errorf("migrating: %w", err)
	}
	tenantDB, err := w.open(ctx, nil)
	if err != nil {
		return err
	}
	defer tenantDB.Close()
	store := catalog.NewStore(tenantDB, catalog.Options{})
	b := &builder{tenantDB, store, record.New(tenantDB, store)}
	if w.Attacker, err = b.organization(ctx, "Wombat", ownRecords, ownRecords); err != nil {
		return err
	}
	if w.Victim, err = b.organization(ctx, word, victimRecords, victimOthers); err != nil {
		return err
	}
	tenantDB.Close()
	if err := w.Admin(ctx, people); err != nil {
		return err
	}
	for _, o := range []*Organization{w.Attacker, w.Victim} {
		if o.Key, err = w.key(ctx, o.ID); err != nil {
			return err
		}
	}
	if err := w.learnStatements(ctx); err != nil {
		return fmt.Errorf("learning the victim's statements: %w", err)
	}
	if err := w.Admin(ctx, "vacuum analyze"); err != nil {
		return err
	}
	return w.learn(ctx)
}

// Copy makes a world of the same content in another database, with logins of its own.
func (w *World) Copy(ctx context.Context) (*World, error) {
	suffix := make([]byte, 6)
	_, _ = rand.Read(suffix) // it never fails
	made := *w
	made.name = "rowhouse_attack_" + hex.EncodeToString(suffix)
	made.prefix = made.name
	if err := execute(ctx, w.admin, "create database "+made.name+" template "+w.name); err != nil {
		return nil, err
	}
	if err := made.provision(ctx); err != nil {
		_ = made.Drop(context.WithoutCancel(ctx))
		return nil, err
	}
	return &made, nil
}

// Drop removes the database and its logins.
func (w *World) Drop(ctx context.Context) error {
	if err := execute(ctx, w.admin, "drop database if exists "+w.name+" with (force)"); err != nil {
		return err
	}
	for _, login := range []string{
		w.prefix, w.prefix + "_request", w.prefix + "_schema", w.prefix + "_lookup", w.prefix + "_job",
		w.prefix + "_sql", w.prefix + "_sql_creator",
	} {
		if err := execute(ctx, w.admin, "drop role if exists "+login); err != nil {
			return err
		}
	}
	return nil
}

// execute runs SQL as the superuser, outside the world's database.
func execute(ctx context.Context, url, sql string) error {
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		return fmt.Errorf("connecting as the administrator: %w", err)
	}
	defer func() { _ = conn.Close(ctx) }()
	if _, err := conn.PgConn().Exec(ctx, sql).ReadAll(); err != nil {
		return fmt.Errorf("running SQL as the administrator: %w", err)
	}
	return nil
}

func at(base, name string, user *url.Userinfo) string {
	u, err := url.Parse(base)
	if err != nil {
		panic("attacktest: the administrator's URL: " + err.Error())
	}
	u.Path = "/" + name
	if user != nil {
		u.User = user
	}
	return u.String()
}

// numbersSQL selects the numbers that reveal the victim's records: how many there are, and the sizes
// and estimates of what stores them. A size that is also the OID of an object, which anybody may see, reveals nothing;
// nor does one that is an OID soon, because other tests make objects meanwhile.
const numbersSQL = `
	select what, n from (
		select 'records' what, (select count(*) from {victim_table}) n
		union all select relname || ' estimate', c.reltuples::bigint from pg_class c
		where relnamespace = '{victim_schema}'::regnamespace
		union all select relname || ' pages', c.relpages from pg_class c
		where relnamespace = '{victim_schema}'::regnamespace
		union all select relname || ' bytes', pg_relation_size(c.oid) from pg_class c
		where relnamespace = '{victim_schema}'::regnamespace
		union all select relname || ' bytes with indexes', pg_total_relation_size(c.oid) from pg_class c
			where relnamespace = '{victim_schema}'::regnamespace and relkind = 'r'
		union all select relname || ' bytes of indexes', pg_indexes_size(c.oid) from pg_class c
			where relnamespace = '{victim_schema}'::regnamespace and relkind = 'r'
		union all select relname || ' bytes with map', pg_table_size(c.oid) from pg_class c
			where relnamespace = '{victim_schema}'::regnamespace and relkind = 'r'
		union all select 'size of the file', size from rowhouse.attachment where org_id = '{victim_id}'
	) found where n >= 1000 and n <> all (select pg_relation_size(oid) from pg_class
	where relnamespace = '{own_schema}'::regnamespace)
		and n not in (8192, 16384, 24576, 32768, 40960, 49152, 57344, 65536)
		and n <> all (select pg_total_relation_size(oid) from pg_class
		where relnamespace in ('{own_schema}'::regnamespace, 'pg_catalog'::regnamespace))
		and n <> all (select pg_relation_size(oid) from pg_class where relnamespace = 'pg_catalog'::regnamespace)
		and not exists (select from pg_depend where n in (objid::bigint, refobjid::bigint))
		and not exists (select from pg_shdepend where n in (objid::bigint, refobjid::bigint))
		and not exists (select from (select max(objid::bigint) newest from pg_shdepend) o
			where n > newest and n < newest + 200000)`

// learn collects what must never show in an answer.
func (w *World) learn(ctx context.Context) error {
	conn, err := pgx.Connect(ctx, at(w.admin, w.name, nil))
	if err != nil {
		return fmt.Errorf("connecting as the administrator: %w", err)
	}
	defer func() { _ = conn.Close(ctx) }()
	rows, err := conn.Query(ctx, w.expand(numbersSQL))
	if err != nil {
		return fmt.Errorf("reading the victim's numbers: %w", err)
	}
	w.numbers = map[string]string{}
	var what string
	var n int64
	if _, err := pgx.ForEachRow(
		rows, []any{&what, &n}, func() error { w.numbers[strconv.FormatInt(n, 10)] = what; return nil },
	); err != nil {
		return fmt.Errorf("reading the victim's numbers: %w", err)
	}
	w.secrets = []string{
		strings.ToLower(word), hex.EncodeToString([]byte(word)), hex.EncodeToString([]byte(strings.ToLower(word))),
		w.Victim.APIKey, w.Victim.Session, w.Victim.Attempt.String(), w.Victim.Key,
	}
	w.plans = placesOfPlans(w)
	return nil
}

// people makes enough of them for statistics to have estimates that reveal their e-mail addresses.
const people = `insert into rowhouse.person (id, email, name)
	select ('00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, 'quokka' || n || '@example.com',
	'Quokka ' || n % 7 from generate_series(1, 2000) n`

var placeholder = regexp.MustCompile(`\{[a-z_]+\}`)

// expand fills the placeholders of a text.
func (w *World) expand(sql string) string {
	values := map[string]string{
		"{login}":     w.prefix,
		"{password}":  w.password,
		"{database}":  w.name,
		"{app_login}": w.login(Request),
	}
	for step, statement := range w.cached {
		values["{cached_"+step+"}"], values["{name_"+step+"}"] = statement.call(), statement.name()
	}
	for _, d := range Logins {
		values["{"+string(d)+"_login}"] = w.login(d)
	}
	for name, o := range map[string]*Organization{"own": w.Attacker, "victim": w.Victim} {
		if o == nil || o.Table == nil {
			continue
		}
		for key, value := range map[string]string{
			"id": o.ID.String(), "schema": o.Schema(), "table": o.Table.Relation(),
			"rel": "t_" + strconv.Itoa(int(o.Table.Number)), "number": strconv.Itoa(int(o.Table.Number)),
			"other": o.Other.Relation(), "other_number": strconv.Itoa(int(o.Other.Number)),
			"column": o.Table.Primary().Column(), "column_number": strconv.Itoa(int(o.Table.Primary().Number)),
			"amount": o.Table.Fields[1].Column(), "code": o.Table.Fields[2].Column(),
			"code_number": strconv.Itoa(int(o.Table.Fields[2].Number)), "other_column": o.Other.Primary().Column(),
			"other_column_number": strconv.Itoa(int(o.Other.Primary().Number)),
			"link":                o.Schema() + ".l_" + strconv.Itoa(int(o.Link)),
			"link_number":         strconv.Itoa(int(o.Link)), "record": o.Record.String(), "person": o.Owner.String(),
			"base": o.Base.String(), "table_id": o.Table.ID.String(), "field_id": o.Table.Primary().ID.String(),
			"view_id": o.Table.Views[0].ID.String(), "unique": o.Table.Fields[2].UniqueIndex(), "key": o.Key,
			"hash": hexDigest(o.Key),
		} {
			values["{"+name+"_"+key+"}"] = value
		}
	}
	return placeholder.ReplaceAllStringFunc(sql, func(name string) string {
		if value, ok := values[name]; ok {
			return value
		}
		return name
	})
}
