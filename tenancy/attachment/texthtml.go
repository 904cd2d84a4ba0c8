package attachment

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// hidden are elements whose content a reader of the page does not see.
var hidden = map[atom.Atom]bool{
	atom.Script: true, atom.Style: true, atom.Template: true, atom.Noscript: true, atom.Iframe: true, atom.Object: true,
	atom.Svg: true,
}

// inline are elements that do not begin a line.
var inline = map[atom.Atom]bool{
	atom.A: true, atom.Abbr: true, atom.B: true, atom.Bdi: true, atom.Bdo: true, atom.Cite: true, atom.Code: true,
	atom.Data: true, atom.Del: true, atom.Dfn: true, atom.Em: true, atom.Font: true, atom.I: true, atom.Img: true,
	atom.Ins: true, atom.Kbd: true, atom.Label: true, atom.Mark: true, atom.Q: true, atom.S: true, atom.Samp: true,
	atom.Small: true, atom.Span: true, atom.Strong: true, atom.Sub: true, atom.Sup: true, atom.Time: true, atom.U: true,
	atom.Var: true, atom.Wbr: true,
}

// textOfHTML returns what a reader of a page sees, a line for each block and tabs between the cells of a table. It goes
// through the tokens and builds no tree, so that no nesting is too deep.
func textOfHTML(page string) string {
	tokens := html.NewTokenizer(strings.NewReader(page))
	var w lines
	skipped, depth := atom.Atom(0), 0
	for {
		switch kind := tokens.Next(); kind {
		case html.ErrorToken: // the end
			return strings.TrimSpace(w.out.String())
		case html.TextToken:
			if skipped == 0 {
				w.write(string(tokens.Text()))
			}
		case html.StartTagToken, html.EndTagToken, html.SelfClosingTagToken:
			name, _ := tokens.TagName()
			tag := atom.Lookup(name)
			switch {
			case skipped != 0:
				if tag == skipped && kind == html.StartTagToken {
					depth++
				} else if tag == skipped && kind == html.EndTagToken {
					if depth--; depth == 0 {
						skipped = 0
					}
				}
			case hidden[tag] && kind == html.StartTagToken:
				skipped, depth = tag, 1
			case tag == atom.Td || tag == atom.Th:
				if kind == html.EndTagToken {
					w.gap = "\t"
				}
			case !inline[tag]:
				w.gap = "\n"
			}
		case html.CommentToken, html.DoctypeToken:
		}
	}
}

// lines writes words with what stands between them.
type lines struct {
	out strings.Builder
	gap string // before the next word
}

func (w *lines) write(text string) {
	if strings.TrimSpace(text) == "" {
		if w.gap == "" && text != "" {
			w.gap = " "
		}
		return
	}
	if w.gap == "" && strings.ContainsAny(text[:1], " \t\r\n\f") {
		w.gap = " "
	}
	if w.out.Len() > 0 {
		w.out.WriteString(w.gap)
	}
	w.out.WriteString(strings.Join(strings.Fields(text), " "))
	w.gap = ""
	if strings.ContainsAny(text[len(text)-1:], " \t\r\n\f") {
		w.gap = " "
	}
}
