package attacktest

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"
)

// A Finding is an attack that succeeded.
type Finding struct {
	Login  Login
	Attack string
	What   []string
}

func (f Finding) String() string {
	return fmt.Sprintf("%s, %s: %s", f.Login, f.Attack, strings.Join(f.What, "; "))
}

// RecordLeaked is in a finding whose response contains a record of the victim.
const RecordLeaked = "a record"

// Options of a run.
type Options struct {
	Commit bool // attacks commit, as an attacker would
	First  bool // stop at the first finding
}

// A Report is the outcome of a run.
type Report struct {
	Ran      int
	Findings []Finding
	Refused  map[string][]string // the attacks that ended with an error, by SQLSTATE
	// Answered are the attacks that ran without an error.
	Answered []string
}

// again brings a session back to what it was before an attack, but for the plans that it caches.
const again = "rollback; close all; reset session authorization; reset role; reset all; unlisten *; " +
	"select pg_advisory_unlock_all(); discard temp"

// A statement that an attack prepares is called mine.
const forget = "deallocate mine"

var ends = regexp.MustCompile(`(?i)deallocate (all|\{)|discard (all|plans)|terminate|set_config\('session`)

// Run attacks through a login and judges every response.
func (w *World) Run(ctx context.Context, login Login, attacks []Attack, options Options) (*Report, error) {
	report := &Report{Refused: map[string][]string{}}
	p, err := w.pool(ctx, login)
	if err != nil {
		return nil, err
	}
	defer p.close()
	for report.Ran < len(attacks) {
		if options.First && len(report.Findings) > 0 {
			break
		}
		err := p.session(ctx, func(s *session) error { return w.runSession(ctx, s, attacks, options, report) })
		if err != nil {
			return nil, fmt.Errorf("attacking through %s: %w", login, err)
		}
	}
	return report, nil
}

// runSession runs the attacks that come next, until the session is of no more use.
func (w *World) runSession(ctx context.Context, s *session, attacks []Attack, options Options, report *Report) error {
	for report.Ran < len(attacks) {
		if err := ctx.Err(); err != nil {
			return err
		}
		attack := attacks[report.Ran]
		out, err := w.attack(s, attack, options)
		if err != nil && !errors.Is(err, errGone) {
			return fmt.Errorf("%s: %w", attack.ID(), err)
		}
		report.Ran++
		if out.failure != nil {
			report.Refused[out.failure.Code] = append(report.Refused[out.failure.Code], attack.ID())
		} else {
			report.Answered = append(report.Answered, attack.ID())
		}
		if what := w.judge(attack, out); len(what) > 0 {
			report.Findings = append(report.Findings, Finding{s.login, attack.ID(), what})
			if options.First {
				return nil
			}
		}
		if err != nil || ends.MatchString(attack.SQL) || s.must(again) != nil {
			return nil
		}
		if strings.Contains(attack.SQL, "prepare mine") {
			if _, err := s.send(forget); err != nil { // it may be gone already
				return nil //nolint:nilerr // the next session goes on
			}
		}
	}
	return nil
}

func (w *World) attack(s *session, attack Attack, options Options) (*answer, error) {
	if err := s.must(enter(s.login, w.Attacker)); err != nil {
		return &answer{}, fmt.Errorf("entering the attacker's organization: %w", err)
	}
	out := &answer{}
	for part := range strings.SplitSeq(w.expand(attack.SQL), then+"\n") {
		next, err := s.send(part)
		out.add(next)
		if err != nil {
			return out, err
		}
	}
	end := "rollback"
	if options.Commit && out.failure == nil {
		end = "commit"
	}
	last, err := s.send(end)
	if last.failure != nil && out.failure == nil {
		out.failure = last.failure // of a deferred constraint
	}
	out.notices = append(out.notices, last.notices...)
	return out, err
}

var number = regexp.MustCompile(`[0-9]{4,}`)

// judge lists what a response reveals of the victim.
func (w *World) judge(attack Attack, out *answer) []string {
	var what []string
	text := strings.ToLower(out.text())
	for i, secret := range w.secrets {
		if at := strings.Index(text, secret); at >= 0 {
			what = append(what, fmt.Sprintf("secret %d: %q", i, text[max(0, at-20):min(len(text), at+40)]))
			break
		}
	}
	if strings.Contains(text, strings.ToLower(word)+" record ") ||
		strings.Contains(text, strings.ToLower(word)+"-code-") {
		what = append(what, RecordLeaked)
	}
	if w.plans.MatchString(text) {
		what = append(what, "a plan of the victim's table")
	}
	for _, found := range number.FindAllString(text, -1) {
		if name, ok := w.numbers[found]; ok {
			what = append(what, "the number "+found+", "+name)
			break
		}
	}
	for _, declared := range attack.leaks {
		if leak := declared.in(out); leak != "" {
			what = append(what, leak)
		}
	}
	return what
}

var empty = []string{null, "", "0", "f", "{}", "[]", "0 bytes", "false", "-1"}

// in reports how an answer is this kind of leak, or "".
func (l leak) in(out *answer) string {
	var last resultSet
	if len(out.results) > 0 {
		last = out.results[len(out.results)-1]
	}
	switch {
	case l == anyRow && len(last.rows) > 0:
		return fmt.Sprintf("%d rows, the first %q", len(last.rows), last.rows[0])
	case l == anyRow && out.copied.Len() > 0:
		return fmt.Sprintf("copied %d bytes", out.copied.Len())
	case l == anyValue:
		for _, row := range last.rows {
			if len(row) > 0 && !slices.Contains(empty, row[len(row)-1]) {
				return fmt.Sprintf("the value %q", row[len(row)-1])
			}
		}
	case l == anyTag:
		for _, result := range out.results {
			words := strings.Fields(result.tag)
			if len(words) < 2 || words[0] == "SELECT" {
				continue
			}
			if n, err := strconv.Atoi(words[len(words)-1]); err == nil && n > 0 {
				return "touched rows: " + result.tag
			}
		}
	case l == success && out.failure == nil:
		return "success"
	case strings.HasPrefix(string(l), string(state)) && out.failure != nil:
		if code := strings.TrimPrefix(string(l), string(state)); code == out.failure.Code {
			return "error " + code + ": " + out.failure.Message
		}
	}
	return ""
}

// digestSQL is a digest of all that the victim has, and of what protects it.
const digestSQL = `
	with
	texts as (
		select c.oid::regclass::text || ' ' || (xpath('/table/row/d/text()', query_to_xml(format(
			'select md5(string_agg(x::text, '''' order by x::text)) d from %s x %s', c.oid::regclass,
			case when n.nspname = 'rowhouse' and exists (select from pg_attribute a
			where a.attrelid = c.oid and a.attname = 'org_id')
				then 'where org_id = ''{victim_id}''' end), false, false, '')))[1]::text line
		from pg_class c join pg_namespace n on n.oid = c.relnamespace
		where c.relkind = 'r' and (n.nspname in ('rowhouse', 'river') or n.nspname = '{victim_schema}')
			and c.relname <> 'record_count'
		union all
		select concat_ws(' ', c.oid::regclass, c.relowner::regrole, c.relacl, c.relrowsecurity, c.relforcerowsecurity)
		from pg_class c
			join pg_namespace n on n.oid = c.relnamespace
			where n.nspname in ('rowhouse', 'river', 'gate') or n.nspname = '{victim_schema}'
		union all
		select concat_ws(' ', p.polrelid::regclass, p.polname, pg_get_expr(p.polqual, p.polrelid), p.polroles)
		from pg_policy p
			join pg_class c on c.oid = p.polrelid join pg_namespace n on n.oid = c.relnamespace
			where n.nspname = 'rowhouse' or n.nspname = '{victim_schema}'
		union all
		select concat_ws(' ', p.oid::regprocedure, p.proowner::regrole, p.proacl, md5(p.prosrc),
		pg_get_function_sqlbody(p.oid)) from pg_proc p
			join pg_namespace n on n.oid = p.pronamespace where n.nspname in ('gate', 'version', 'rowhouse')
		union all
		select concat_ws(' ', m.roleid::regrole, m.member::regrole, m.admin_option) from pg_auth_members m
			join pg_roles r on r.oid = m.member where r.rolname like '{login}%'
			or r.rolname in ('rowhouse_app', 'rowhouse_owner')
	)
	select line from texts where line is not null order by 1`

// State lists what the victim has and what protects it, as lines to compare with those of another time.
func (w *World) State(ctx context.Context) ([]string, error) {
	conn, err := pgx.Connect(ctx, at(w.admin, w.name, nil))
	if err != nil {
		return nil, fmt.Errorf("connecting as the administrator: %w", err)
	}
	defer func() { _ = conn.Close(ctx) }()
	rows, err := conn.Query(ctx, w.expand(digestSQL))
	if err != nil {
		return nil, fmt.Errorf("reading the victim's state: %w", err)
	}
	lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return nil, fmt.Errorf("reading the victim's state: %w", err)
	}
	return lines, nil
}

// Damage lists the lines that two states do not share.
func Damage(before, after []string) []string {
	var lines []string
	for _, line := range before {
		if !slices.Contains(after, line) {
			lines = append(lines, "gone: "+line)
		}
	}
	for _, line := range after {
		if !slices.Contains(before, line) {
			lines = append(lines, "new: "+line)
		}
	}
	return lines
}
