package convert

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/rowhouse/rowhouse/tenancy/field"
)

// boardBegins is how the export of a board of Trello begins, and other JSON may.
var boardBegins = regexp.MustCompile(`^(?:\xef\xbb\xbf)?\s*\{\s*"id"\s*:\s*"[0-9a-f]{24}"`)

// A board is the export of a board of Trello, as far as it is read.
type board struct {
	Name  string `json:"name"`
	Lists []struct {
		ID     string  `json:"id"`
		Name   string  `json:"name"`
		Closed bool    `json:"closed"`
		Pos    float64 `json:"pos"`
	} `json:"lists"`
	Cards   []boardCard `json:"cards"`
	Members []struct {
		ID       string `json:"id"`
		FullName string `json:"fullName"`
		Username string `json:"username"`
	} `json:"members"`
	Checklists []struct {
		Card  string  `json:"idCard"`
		Name  string  `json:"name"`
		Pos   float64 `json:"pos"`
		Items []struct {
			Name  string  `json:"name"`
			State string  `json:"state"`
			Pos   float64 `json:"pos"`
		} `json:"checkItems"`
	} `json:"checklists"`
	Actions []struct {
		Type string    `json:"type"`
		Date time.Time `json:"date"`
		Data struct {
			Text string `json:"text"`
			Card struct {
				ID string `json:"id"`
			} `json:"card"`
		} `json:"data"`
		Creator struct {
			FullName string `json:"fullName"`
		} `json:"memberCreator"`
	} `json:"actions"`
	CustomFields []json.RawMessage `json:"customFields"`
}

type boardCard struct {
	ID      string  `json:"id"`
	Name    string  `json:"name"`
	Desc    string  `json:"desc"`
	List    string  `json:"idList"`
	Closed  bool    `json:"closed"`
	Pos     float64 `json:"pos"`
	Start   *string `json:"start"`
	Due     *string `json:"due"`
	DueDone bool    `json:"dueComplete"`
	URL     string  `json:"shortUrl"`
	Labels  []struct {
		Name  string `json:"name"`
		Color string `json:"color"`
	} `json:"labels"`
	Members     []string `json:"idMembers"`
	Attachments []struct {
		Name string `json:"name"`
		URL  string `json:"url"`
	} `json:"attachments"`
}

// boardColumns are the columns of cards, with the types of their fields.
var boardColumns = [][2]string{
	{"Name", textForm},
	{"List", "single_select"},
	{"Labels", "multi_select"},
	{"Members", textForm},
	{"Start", timeForm},
	{"Due", timeForm},
	{"Due complete", checkboxForm},
	{"Description", "long_text"},
	{"Checklists", "long_text"},
	{"Comments", "long_text"},
	{"Attachments", "long_text"},
	{"Archived", checkboxForm},
	{"URL", "url"},
}

// mostActions is how many actions the export of a board has at most.
const mostActions = 1000

// convertBoard makes a row of each card of a board, in the order of the lists and of the cards in them. It returns nil
// if the file is other JSON.
func convertBoard(from, to *os.File) *Result {
	if _, err := from.Seek(0, io.SeekStart); err != nil {
		return &Result{Problem: "cannot be read: " + err.Error()}
	}
	var b board
	if err := json.NewDecoder(from).Decode(&b); err != nil || b.Lists == nil || b.Cards == nil {
		return nil
	}
	out := &Result{Name: b.Name}
	lists := b.lists()
	labels := b.sortCards()
	for _, c := range boardColumns {
		column := Column{Type: c[1]}
		switch c[0] {
		case "List":
			column.Options = lists
		case "Labels":
			column.Options = labels
		}
		if column.Type != textForm && strings.HasSuffix(column.Type, "select") && (len(column.Options) == 0 ||
			len(column.Options) > field.MaxOptions) {
			column = Column{Type: textForm}
		}
		out.Columns = append(out.Columns, column)
	}
	if err := b.write(to); err != nil {
		return &Result{Problem: "cannot be read: " + err.Error()}
	}
	if len(b.Actions) >= mostActions {
		out.Notes = append(out.Notes, fmt.Sprintf("The export of a board has its last %d actions, so older comments "+
			"are missing.", mostActions))
	}
	if n := len(b.CustomFields); n > 0 {
		out.Notes = append(out.Notes, fmt.Sprintf("Custom fields were left out: %d.", n))
	}
	return out
}

// lists sorts the lists, and returns their names.
func (b *board) lists() []string {
	slices.SortStableFunc(b.Lists, func(x, y struct {
		ID     string  `json:"id"`
		Name   string  `json:"name"`
		Closed bool    `json:"closed"`
		Pos    float64 `json:"pos"`
	},
	) int {
		return compare(x.Pos, y.Pos)
	})
	var names []string
	for i := range b.Lists {
		if name := strings.TrimSpace(b.Lists[i].Name); name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

func compare(x, y float64) int {
	switch {
	case x < y:
		return -1
	case x > y:
		return 1
	}
	return 0
}

// sortCards sorts the cards by their places, and returns the names of their labels.
func (b *board) sortCards() (labels []string) {
	place := map[string]int{}
	for i := range b.Lists {
		place[b.Lists[i].ID] = i
	}
	slices.SortStableFunc(b.Cards, func(x, y boardCard) int {
		if place[x.List] != place[y.List] {
			return place[x.List] - place[y.List]
		}
		return compare(x.Pos, y.Pos)
	})
	for i := range b.Cards {
		for _, name := range b.Cards[i].labels() {
			if !slices.Contains(labels, name) {
				labels = append(labels, name)
			}
		}
	}
	return labels
}

// labels are the names of the labels of a card. A label without a name has its color.
func (c *boardCard) labels() []string {
	var names []string
	for _, label := range c.Labels {
		name := strings.TrimSpace(label.Name)
		if name == "" {
			name = label.Color
		}
		if name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

func (b *board) write(to io.Writer) error {
	out := newTable(to)
	names := make([]string, len(boardColumns))
	for i, c := range boardColumns {
		names[i] = c[0]
	}
	if err := out.write(names); err != nil {
		return err
	}
	list, closed, people := map[string]string{}, map[string]bool{}, map[string]string{}
	for i := range b.Lists {
		list[b.Lists[i].ID], closed[b.Lists[i].ID] = strings.TrimSpace(b.Lists[i].Name), b.Lists[i].Closed
	}
	for _, m := range b.Members {
		people[m.ID] = joined([]string{m.FullName}, "")
		if m.FullName == "" {
			people[m.ID] = m.Username
		}
	}
	checklists, comments := b.checklists(), b.comments()
	for i := range b.Cards {
		c := &b.Cards[i]
		var members, files []string
		for _, id := range c.Members {
			if people[id] != "" {
				members = append(members, people[id])
			}
		}
		for _, file := range c.Attachments {
			files = append(files, strings.TrimSpace(file.Name+" "+file.URL))
		}
		if err := out.write([]string{
			c.Name, list[c.List], field.JoinNames(c.labels()), field.JoinNames(members), text(c.Start), text(c.Due),
			fmt.Sprint(c.DueDone), c.Desc, checklists[c.ID], comments[c.ID], strings.Join(files, "\n"),
			fmt.Sprint(c.Closed || closed[c.List]), c.URL,
		}); err != nil {
			return err
		}
	}
	return out.out.Flush() //nolint:wrapcheck // the caller says of what
}

func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// checklists are the checklists of cards, as Markdown.
func (b *board) checklists() map[string]string {
	out := map[string]string{}
	for i := range b.Checklists {
		list := &b.Checklists[i]
		var one strings.Builder
		fmt.Fprintf(&one, "**%s**", list.Name)
		for _, item := range list.Items {
			mark := " "
			if item.State == "complete" {
				mark = "x"
			}
			fmt.Fprintf(&one, "\n- [%s] %s", mark, item.Name)
		}
		if out[list.Card] != "" {
			out[list.Card] += "\n\n"
		}
		out[list.Card] += one.String()
	}
	return out
}

// comments are the comments on cards, the oldest first, where the export has the latest first.
func (b *board) comments() map[string]string {
	out := map[string]string{}
	for i := len(b.Actions) - 1; i >= 0; i-- {
		action := &b.Actions[i]
		if action.Type != "commentCard" {
			continue
		}
		id := action.Data.Card.ID
		if out[id] != "" {
			out[id] += "\n\n"
		}
		out[id] += fmt.Sprintf("%s, %s:\n%s", action.Creator.FullName, action.Date.UTC().Format("2006-01-02 15:04"),
			action.Data.Text)
	}
	return out
}
