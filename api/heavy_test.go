package api_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"image"
	"image/png"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/api/apitest"
	"github.com/rowhouse/rowhouse/problem"
)

// turns counts the calls that wait for a processor.
type turns struct {
	taken, running atomic.Int64
	refuse         atomic.Bool // the next one
}

func (*turns) Enter(context.Context, uuid.UUID, uuid.UUID) (func(), error) { return func() {}, nil }

func (*turns) EnterStatement(uuid.UUID) (func(), error) { return func() {}, nil }

func (p *turns) EnterHeavy(_ context.Context, tenant uuid.UUID) (func(), error) {
	if tenant == uuid.Nil {
		return nil, problem.Invalid("tenant", "is nobody")
	}
	if p.refuse.Swap(false) {
		return nil, &problem.Error{Kind: problem.KindRateLimited, Message: "Too many."}
	}
	p.taken.Add(1)
	p.running.Add(1)
	return func() { p.running.Add(-1) }, nil
}

// What takes a second of processor time or more takes turns with its like, whichever way it comes.
func TestWorkThatTakesAProcessorTakesTurns(t *testing.T) {
	t.Parallel()
	s := apitest.New(t)
	c, w := newWorld(t, s)
	var p turns
	s.Deps.Admission = &p
	c.ID("POST", "/tables/"+w["tableId"]+"/fields", `{"name":"Files","type":"attachment"}`)
	var picture bytes.Buffer
	if err := png.Encode(&picture, image.NewGray(image.Rect(0, 0, 64, 64))); err != nil {
		t.Fatal(err)
	}
	encoded := base64.StdEncoding.EncodeToString(picture.Bytes())
	send := func(content string) string {
		t.Helper()
		status, file := upload(t, c, "/tables/"+w["tableId"]+"/uploads?name=a.png", strings.NewReader(content), 0)
		if status != http.StatusOK {
			t.Fatalf("%d %v", status, file)
		}
		return file["id"].(string)
	}
	file := send(picture.String())
	c.OK("PATCH", "/records/"+w["recordId"], `{"fields":{"Files":["`+file+`"]}}`)
	filePath := "/records/" + w["recordId"] + "/attachments/" + file + "/text"
	for name, work := range map[string]struct {
		turns int64
		do    func()
	}{
		"an image": {1, func() { send(picture.String()) }},
		"an image that is refused a turn": {1, func() {
			p.refuse.Store(true)
			send(picture.String())
		}},
		"an image in JSON": {1, func() {
			c.OK("POST", "/tables/"+w["tableId"]+"/attachments", `{"name":"a.png","content":"`+encoded+`"}`)
		}},
		"a file of words":        {0, func() { send("words") }},
		"a search over a base":   {1, func() { c.OK("GET", "/bases/"+w["baseId"]+"/search?q=first", "") }},
		"an export":              {1, func() { c.OK("POST", "/tables/"+w["tableId"]+"/records/export", "") }},
		"the picture of a file":  {1, func() { c.OK("GET", filePath, "") }},
		"a page of some records": {0, func() { c.OK("GET", "/tables/"+w["tableId"]+"/records", "") }},
	} {
		p.taken.Store(0)
		work.do()
		if got := p.taken.Load(); got != work.turns {
			t.Errorf("%s took %d turns, want %d", name, got, work.turns)
		}
		if p.running.Load() != 0 {
			t.Errorf("%s has not ended its turn", name)
		}
	}
}
