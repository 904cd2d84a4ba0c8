package convert_test

import (
	"archive/zip"
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/rowhouse/rowhouse/tenancy/transfer/convert"
)

const trello = `{"id":"5b6893f01cb3228998cf629e","name":"Harbour","lists":[
	{"id":"l2","name":"Done","closed":true,"pos":2},{"id":"l1","name":"To do","closed":false,"pos":1}],
	"cards":[
	{"id":"c1","name":"Paint","desc":"Blue\nand white","idList":"l2","closed":false,"pos":1,"due":null,
		"dueComplete":true,"labels":[{"name":"","color":"red"},{"name":"Hull, deck","color":"blue"}],
		"idMembers":["m1"],"shortUrl":"https://trello.com/c/1",
		"attachments":[{"name":"a.png","url":"https://x.test/a"}]},
	{"id":"c2","name":"Sail","desc":"","idList":"l1","closed":true,"pos":9,"due":"2026-05-01T10:00:00.000Z",
		"start":"2026-04-01T08:00:00.000Z","labels":[],"idMembers":[],"shortUrl":"https://trello.com/c/2"}],
	"members":[{"id":"m1","fullName":"Ann Lee","username":"ann"}],
	"checklists":[{"idCard":"c1","name":"Steps","checkItems":[{"name":"sand","state":"complete"},
		{"name":"prime","state":"incomplete"}]}],
	"actions":[
	{"type":"commentCard","date":"2026-02-02T10:00:00Z","data":{"text":"second","card":{"id":"c1"}},
		"memberCreator":{"fullName":"Bo"}},
	{"type":"updateCard","date":"2026-02-01T10:00:00Z","data":{"card":{"id":"c1"}}},
	{"type":"commentCard","date":"2026-02-01T09:00:00Z","data":{"text":"first","card":{"id":"c1"}},
		"memberCreator":{"fullName":"Ann"}}],
	"customFields":[{}]}`

func TestABoardOfTrelloBecomesATableOfItsCards(t *testing.T) {
	t.Parallel()
	if got := convert.FormOf([]byte(trello)); got != convert.Trello {
		t.Fatalf("the form is %q", got)
	}
	text, result, err := converted(t, nil, convert.Trello, []byte(trello))
	if err != nil {
		t.Fatal(err)
	}
	const want = `Name,List,Labels,Members,Start,Due,Due complete,Description,Checklists,Comments,Attachments,` +
		`Archived,URL` + "\n" +
		`Sail,To do,,,2026-04-01T08:00:00.000Z,2026-05-01T10:00:00.000Z,false,,,,,true,https://trello.com/c/2` + "\n" +
		`Paint,Done,"red, ""Hull, deck""",Ann Lee,,,true,"Blue` + "\n" + `and white","**Steps**` + "\n" +
		`- [x] sand` + "\n" + `- [ ] prime","Ann, 2026-02-01 09:00:` + "\n" + `first` + "\n\n" +
		`Bo, 2026-02-02 10:00:` + "\n" + `second",a.png https://x.test/a,true,https://trello.com/c/1`
	if lines(text) != want {
		t.Errorf("the CSV is\n%s", text)
	}
	const types = "text, single_select[To do Done], multi_select[red Hull, deck], text, datetime, datetime, " +
		"checkbox, long_text, long_text, long_text, long_text, checkbox, url"
	if got := typesOf(result); got != types || result.Name != "Harbour" {
		t.Errorf("the types of %q are %s", result.Name, got)
	}
	if got := fmt.Sprint(result.Notes); !strings.Contains(got, "Custom fields were left out: 1") {
		t.Errorf("the notes are %s", got)
	}
	_, result, err = converted(t, nil, convert.Trello, []byte(`{"id":"5b6893f01cb3228998cf629e","name":"A"}`))
	if err != nil || result.Form != convert.JSON {
		t.Errorf("another object is %+v, %v", result, err)
	}
}

func zipped(t *testing.T, files map[string]string) []byte {
	t.Helper()
	var out bytes.Buffer
	to := zip.NewWriter(&out)
	for name, content := range files {
		part, err := to.Create(name)
		if err == nil {
			_, err = part.Write([]byte(content))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := to.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestATableOfNotionHasThePagesOfItsRows(t *testing.T) {
	t.Parallel()
	const id = " 0123456789abcdef0123456789abcdef"
	export := zipped(t, map[string]string{
		"Home" + id + "/Ships" + id + ".csv": "Name\nAlma\n",
		"Home" + id + "/Ships" + id + "_all.csv": "\ufeffName,Crew,Tons\n" +
			"Alma,\"Ann (https://www.notion.so/Ann-1), Bo Li (Crew/Bo%20Li" + id + ".md)\",12\n" +
			"What: now?,Note (old),7\n",
		"Home" + id + "/Ships" + id + "/Alma" + id + ".md":      "# Alma\n\nCrew: Ann\nTons: 12\n\nBuilt **well**.\n",
		"Home" + id + "/Ships" + id + "/What now" + id + ".md":  "# What: now?\n\nJust text\n",
		"Home" + id + "/Crew" + id + "_all.csv":                 "Name\nAnn\nBo Li\n",
		"Home" + id + "/Other" + id + ".md":                     "# Other\n",
		"Home" + id + "/Ships" + id + "/Alma" + id + "/cat.png": "png",
	})
	from := export
	text, result, err := converted(t, nil, convert.Sheet, from)
	if err != nil {
		t.Fatal(err)
	}
	if result.Form != convert.Notion || result.Part != "Crew" || fmt.Sprint(result.Parts) != "[Crew Ships]" {
		t.Errorf("the result is %+v", result)
	}
	if lines(text) != "Name,Page\nAnn,\nBo Li," {
		t.Errorf("the CSV is\n%s", text)
	}
	text, result, err = convertedPart(t, nil, convert.Sheet, from, "Ships")
	if err != nil {
		t.Fatal(err)
	}
	const want = "Name,Crew,Tons,Page\nAlma,\"Ann, Bo Li\",12,Built **well**.\nWhat: now?,Note (old),7,Just text"
	if lines(text) != want || typesOf(result) != ", , , long_text" {
		t.Errorf("the CSV of the types %s is\n%s", typesOf(result), text)
	}
	for name, file := range map[string][]byte{
		"neither a spreadsheet nor": zipped(t, map[string]string{"a.txt": "a"}),
		"a zip of zips":             zipped(t, map[string]string{"part-1.zip": "a"}),
		"more than 128 MB": zipped(t, map[string]string{
			"a.csv": "a\n" + strings.Repeat("aaaaaaaaaaaaaaa\n", 9<<20), "a.md": "a",
		}),
	} {
		if _, _, err := converted(t, nil, convert.Sheet, file); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
