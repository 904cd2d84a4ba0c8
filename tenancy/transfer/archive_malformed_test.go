package transfer_test

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/internal/jsonvalue"
	"github.com/rowhouse/rowhouse/tenancy/catalog"
	"github.com/rowhouse/rowhouse/tenancy/schema"
	"github.com/rowhouse/rowhouse/tenancy/transfer"
	"github.com/rowhouse/rowhouse/tenancy/transfer/archive"
)

// parts are the files of an archive.
type parts map[string][]byte

func (h *house) parts(raw []byte) parts {
	h.t.Helper()
	read, err := zip.NewReader(bytes.NewReader(raw), int64(len(raw)))
	h.must(err)
	out := parts{}
	for _, f := range read.File {
		content, err := f.Open()
		h.must(err)
		out[f.Name], err = io.ReadAll(content)
		h.must(err)
	}
	return out
}

// zipped is an archive of the parts with other ones in their place; nil leaves one out.
func (p parts) zipped(others parts) []byte {
	var out bytes.Buffer
	to := zip.NewWriter(&out)
	for name := range p {
		if _, other := others[name]; !other {
			others[name] = p[name]
		}
	}
	for name, content := range others {
		if content == nil {
			continue
		}
		w, err := to.Create(name)
		if err == nil {
			_, err = w.Write(content)
		}
		if err != nil {
			panic(err) // a buffer takes everything
		}
	}
	if err := to.Close(); err != nil {
		panic(err)
	}
	return out.Bytes()
}

// with is the manifest that lists a part as it is given.
func (p parts) with(name string, content []byte, more func(e *archive.Entry)) []byte {
	var manifest archive.Manifest
	if err := json.Unmarshal(p["manifest.json"], &manifest); err != nil {
		panic(err) // it was written by the service
	}
	sum := sha256.Sum256(content)
	for i := range manifest.Entries {
		if e := &manifest.Entries[i]; e.Path == name {
			e.Bytes, e.SHA256 = int64(len(content)), hex.EncodeToString(sum[:])
			if more != nil {
				more(e)
			}
		}
	}
	return jsonvalue.Must(manifest)
}

// An archive that is damaged, or made to do harm, is refused with what is wrong, and nothing of it is there.
func TestMalformedArchivesAreRefusedWhole(t *testing.T) {
	t.Parallel()
	h := newHouse(t, t.TempDir())
	base, err := h.s.Schema.CreateBase(h.ctx, h.actor.Org, h.workspace, "Small")
	h.must(err)
	h.base = base.ID
	_, err = h.s.Schema.CreateTable(h.ctx, h.actor.Org, base.ID, "Ships", []catalog.FieldSpec{
		{Name: "Name", Type: schema.Text}, {Name: "Tons", Type: schema.Number},
	})
	h.must(err)
	ships := h.create("Ships", `{"Name":"Aase","Tons":90}`, `{"Name":"Tove","Tons":12}`)
	h.say(h.actor, ships[0], "Second", h.say(h.actor, ships[0], "First", ""))
	raw := h.archived()
	p := h.parts(raw)
	records := archive.RecordsPath(h.table("Ships").PublicID())
	comments := archive.CommentsPath(h.table("Ships").PublicID())
	changed := bytes.Replace(p[records], []byte("Aase"), []byte("Oase"), 1)
	described := func(from, to string) parts {
		content := bytes.Replace(p["schema.json"], []byte(from), []byte(to), 1)
		if bytes.Equal(content, p["schema.json"]) {
			t.Fatalf("the structure has no %s: %s", from, content)
		}
		return parts{"schema.json": content, "manifest.json": p.with("schema.json", content, nil)}
	}
	lines := func(content string) parts {
		count := strings.Count(content, "\n")
		manifest := p.with(records, []byte(content), func(e *archive.Entry) { e.Records = &count })
		return parts{records: []byte(content), "manifest.json": manifest}
	}
	said := func(content string) parts {
		count := strings.Count(content, "\n")
		manifest := p.with(comments, []byte(content), func(e *archive.Entry) { e.Comments = count })
		return parts{comments: []byte(content), "manifest.json": manifest}
	}
	spoken := string(p[comments])
	bomb := bytes.Repeat([]byte{'\n'}, 150<<20)
	newer := bytes.Replace(p["manifest.json"], []byte(`"version":3`), []byte(`"version":4`), 1)
	for name, one := range map[string]struct {
		raw  []byte
		want string
	}{
		"no zip":         {[]byte("Name,Tons\n"), "is no base archive"},
		"cut":            {raw[:len(raw)*2/3], "is no base archive"},
		"other bytes":    {append(append(bytes.Clone(raw[:90]), raw[90]^1), raw[91:]...), "damaged"},
		"another hash":   {p.zipped(parts{records: changed}), "its SHA-256 is another one"},
		"a missing part": {p.zipped(parts{records: nil}), "is missing"},
		"one part more":  {p.zipped(parts{"more.txt": []byte("x")}), "does not list"},
		"no manifest":    {p.zipped(parts{"manifest.json": nil}), `"manifest.json" is missing`},
		"a later one":    {p.zipped(parts{"manifest.json": newer}), "version 4"},
		"a traversal":    {p.zipped(parts{"../../etc/passwd": []byte("x")}), "a file with the name"},
		"a bomb":         {p.zipped(parts{"more.txt": bomb}), "unpacks to more than"},
		"no JSON":        {p.zipped(lines("{\n")), "cannot be read"},
		"another field":  {p.zipped(lines(strings.Replace(string(p[records]), `"Tons"`, `"Tens"`, 1))), `"Tens"`},
		"a cut record":   {p.zipped(lines(`{"id":`)), "cut"},
		"another table":  {p.zipped(described(`"type":"number"`, `"type":"nimber"`)), "nimber"},
		"a wrong link": {p.zipped(described(`"type":"number","config":{}`,
			`"type":"link","config":{"linkedTableId":"tbl_00000000000000000000000000"}`)), "no table of the base"},
		"two of one id": {p.zipped(described(h.fieldID("Ships", "Tons"), h.fieldID("Ships", "Name"))), "given twice"},

		"no comments":     {p.zipped(said("")), "has no table for"},
		"a comment twice": {p.zipped(said(spoken + spoken)), "not in its place"},
		"of no record":    {p.zipped(said(strings.Replace(spoken, ships[0], "rec_none", 1))), "is no comment on"},
		"of no time":      {p.zipped(said(strings.Replace(spoken, "createdTime", "other", 1))), "is no comment on"},
	} {
		j := h.run(transfer.ImportArchive, uuid.Nil, uuid.Nil,
			transfer.ArchiveImport{Workspace: h.workspace, File: h.upload(one.raw)})
		if j.State != transfer.Failed || j.Base != uuid.Nil || !strings.Contains(j.Report.Problem, one.want) {
			t.Errorf("%s: %s, %+v", name, j.State, j.Report)
		}
	}
	if n := h.countBases(); n != 1 {
		t.Errorf("there are %d bases", n)
	}
	// What a value or a comment may not be is left out, and listed, and so are replies to it.
	line := string(bytes.SplitAfter(p[records], []byte("\n"))[0])
	h.bring(p.zipped(lines(strings.Replace(line, ":90", `:"heavy"`, 1))))
	if list := h.list("Ships", ""); len(list) != 1 || !strings.Contains(list[0].raw, `"Tons":null`) {
		t.Errorf("the records are %v", list)
	}
	third := strings.SplitAfter(spoken, "\n")[0]
	third = strings.ReplaceAll(strings.Replace(third, "First", "Third", 1), third[7:43], later(third[7:43]))
	job := h.bring(p.zipped(said(strings.Replace(spoken, `"First"`, `"`+strings.Repeat("x", 10_001)+`"`, 1) + third)))
	if list := h.said("Ships"); len(list) != 1 || !strings.Contains(list[0].raw, "Third") ||
		len(job.Report.LeftOut) != 2 {
		t.Errorf("the comments are %q, and left out is %+v", list, job.Report.LeftOut)
	}
	// The form before had no comments.
	var older archive.Manifest
	h.must(json.Unmarshal(p["manifest.json"], &older))
	older.Version = 2
	older.Entries = slices.DeleteFunc(older.Entries, func(e archive.Entry) bool { return e.Comments > 0 })
	h.bring(p.zipped(parts{comments: nil, "manifest.json": jsonvalue.Must(older)}))
	if list := h.list("Ships", ""); len(list) != 2 || len(h.said("Ships")) > 0 {
		t.Errorf("the records of an older archive are %v", list)
	}
}

// later is the id of a comment that was written after every other.
func later(public string) string {
	number, _, err := id.ParseComment(public)
	if err != nil {
		panic(err) // it is the service's
	}
	return id.FormatComment(number, id.New())
}
