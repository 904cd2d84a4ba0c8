package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

type server struct{ pool *pgxpool.Pool }

type item struct {
	ID        int64     `json:"id"`
	CreatedAt time.Time `json:"createdTime"`
	Fields    fields    `json:"fields"`
}

type fields struct {
	Name   string  `json:"Name"`
	Email  string  `json:"Email"`
	Amount float64 `json:"Amount"`
	Status string  `json:"Status"`
	Notes  string  `json:"Notes"`
	Due    string  `json:"Due"`
	Score  float64 `json:"Score"`
	Done   bool    `json:"Done"`
}

type page struct {
	Records []item `json:"records"`
	Total   int64  `json:"total"`
	Offset  int64  `json:"offset"`
	Limit   int64  `json:"limit"`
	HasMore bool   `json:"hasMore"`
}

type written struct {
	Records []item `json:"records"`
}

const columns = "id, created_at, name, email, amount, status, notes, due, score, done"

func scan(row pgx.CollectableRow) (item, error) {
	var i item
	var due time.Time
	f := &i.Fields
	err := row.Scan(&i.ID, &i.CreatedAt, &f.Name, &f.Email, &f.Amount, &f.Status, &f.Notes, &due, &f.Score, &f.Done)
	f.Due = due.Format(time.DateOnly)
	return i, err
}

// list runs one query for the rows and one for their number, as most programs do.
func (s *server) list(r *http.Request, where, order string, args ...any) (any, error) {
	out := page{Limit: 100}
	query := r.URL.Query()
	var err error
	if text := query.Get("offset"); text != "" {
		if out.Offset, err = strconv.ParseInt(text, 10, 64); err != nil {
			return nil, fmt.Errorf("reading offset: %w", err)
		}
	}
	if err := s.pool.QueryRow(
		r.Context(), "select count(*) from item where "+where, args...,
	).Scan(&out.Total); err != nil {
		return nil, fmt.Errorf("counting: %w", err)
	}
	if after := query.Get("after"); after != "" {
		id, err := strconv.ParseInt(after, 10, 64)
		if err != nil {
			return nil, fmt.Errorf("reading after: %w", err)
		}
		where, args = where+" and id > $1", append(args, id)
	}
	n := len(args)
	statement := fmt.Sprintf("select %s from item where %s order by %s limit $%d offset $%d",
		columns, where, order, n+1, n+2)
	rows, err := s.pool.Query(r.Context(), statement, append(args, out.Limit+1, out.Offset)...)
	if err != nil {
		return nil, fmt.Errorf("listing: %w", err)
	}
	if out.Records, err = pgx.CollectRows(rows, scan); err != nil {
		return nil, fmt.Errorf("listing: %w", err)
	}
	if out.HasMore = int64(len(out.Records)) > out.Limit; out.HasMore {
		out.Records = out.Records[:out.Limit]
	}
	return out, nil
}

func (s *server) page(r *http.Request) (any, error) { return s.list(r, "true", "id") }

func number(query url.Values, name string) (float64, error) {
	n, err := strconv.ParseFloat(query.Get(name), 64)
	if err != nil {
		return 0, fmt.Errorf("reading %s: %w", name, err)
	}
	return n, nil
}

func (s *server) byAmount(r *http.Request) (any, error) {
	least, err := number(r.URL.Query(), "least")
	if err != nil {
		return nil, err
	}
	return s.list(r, "amount >= $1", "amount, id", least)
}

func (s *server) byDue(r *http.Request) (any, error) {
	query := r.URL.Query()
	below, err := number(query, "below")
	if err != nil {
		return nil, err
	}
	return s.list(r, "status = $1 and amount < $2", "due desc, id", query.Get("status"), below)
}

func (s *server) search(r *http.Request) (any, error) {
	return s.list(r, "item_text(name, email, amount, status, notes, due, score) like '%' || lower($1) || '%'",
		"id", r.URL.Query().Get("q"))
}

func (s *server) get(r *http.Request) (any, error) {
	id, err := strconv.ParseInt(r.PathValue("id"), 10, 64)
	if err != nil {
		return nil, fmt.Errorf("reading the id: %w", err)
	}
	return s.one(r, "select "+columns+" from item where id = $1", id)
}

func (s *server) one(r *http.Request, statement string, args ...any) (item, error) {
	rows, err := s.pool.Query(r.Context(), statement, args...)
	if err != nil {
		return item{}, fmt.Errorf("querying: %w", err)
	}
	i, err := pgx.CollectExactlyOneRow(rows, scan)
	if err != nil {
		return item{}, fmt.Errorf("querying: %w", err)
	}
	return i, nil
}

func (s *server) many(r *http.Request, statement string, args ...any) (any, error) {
	rows, err := s.pool.Query(r.Context(), statement, args...)
	if err != nil {
		return nil, fmt.Errorf("writing: %w", err)
	}
	items, err := pgx.CollectRows(rows, scan)
	if err != nil {
		return nil, fmt.Errorf("writing: %w", err)
	}
	return written{items}, nil
}

// create accepts fields for one item, or records for several.
func (s *server) create(r *http.Request) (any, error) {
	var in struct {
		Fields  *fields `json:"fields"`
		Records []struct {
			Fields fields `json:"fields"`
		} `json:"records"`
	}
	if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
		return nil, fmt.Errorf("reading the body: %w", err)
	}
	const head = "insert into item (name, email, amount, status, notes, due, score, done) "
	if f := in.Fields; f != nil {
		made, err := s.one(r, head+"values ($1, $2, $3, $4, $5, $6::text::date, $7, $8) returning "+columns,
			f.Name, f.Email, f.Amount, f.Status, f.Notes, f.Due, f.Score, f.Done)
		return written{[]item{made}}, err
	}
	n := len(in.Records)
	name := make([]string, n)
	email := make([]string, n)
	status := make([]string, n)
	notes := make([]string, n)
	due := make([]string, n)
	amount, score, done := make([]float64, n), make([]float64, n), make([]bool, n)
	for i := range in.Records {
		f := &in.Records[i].Fields
		name[i] = f.Name
		email[i] = f.Email
		amount[i] = f.Amount
		status[i] = f.Status
		notes[i] = f.Notes
		due[i] = f.Due
		score[i] = f.Score
		done[i] = f.Done
	}
	return s.many(r, head+`select * from unnest($1::text[], $2::text[], $3::float8[], $4::text[], $5::text[],
		$6::text[]::date[], $7::float8[], $8::boolean[])
		returning `+columns, name, email, amount, status, notes, due, score, done)
}

// A change sets two fields, those that the load changes.
type change struct {
	Amount float64 `json:"Amount"`
	Status string  `json:"Status"`
}

func (s *server) updateOne(r *http.Request) (any, error) {
	id, err := strconv.ParseInt(r.PathValue("id"), 10, 64)
	if err != nil {
		return nil, fmt.Errorf("reading the id: %w", err)
	}
	var in struct {
		Fields change `json:"fields"`
	}
	if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
		return nil, fmt.Errorf("reading the body: %w", err)
	}
	return s.one(r, "update item set amount = $2, status = $3 where id = $1 returning "+columns, id, in.Fields.Amount,
		in.Fields.Status)
}

func (s *server) update(r *http.Request) (any, error) {
	var in struct {
		Records []struct {
			ID     int64  `json:"id"`
			Fields change `json:"fields"`
		} `json:"records"`
	}
	if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
		return nil, fmt.Errorf("reading the body: %w", err)
	}
	n := len(in.Records)
	ids, amount, status := make([]int64, n), make([]float64, n), make([]string, n)
	for i := range in.Records {
		ids[i], amount[i], status[i] = in.Records[i].ID, in.Records[i].Fields.Amount, in.Records[i].Fields.Status
	}
	return s.many(r, `update item set amount = u.amount, status = u.status
		from unnest($1::bigint[], $2::float8[], $3::text[]) as u(id, amount, status) where item.id = u.id
		returning item.id, created_at, name, email, item.amount, item.status, notes, due, score, done`,
		ids, amount, status)
}
