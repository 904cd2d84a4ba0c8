package web

import (
	"bytes"
	"html/template"
	"strings"
	"unicode/utf8"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// Texts that exceed a bound are shown as they are written. How long reading takes grows with the square of how many
// quotes are in each other, and of how many links are begun: 140 ms for a text of nothing else.
const (
	maxFormatted = 20_000 // characters
	maxMarks     = 500    // of > and of [ each
)

// markdown reads what the application's editor writes (GFM, docs/decisions/0080). Goldmark leaves HTML and addresses
// that run as a script out; it is the reader of Markdown that Hugo and Gitea use.
var markdown = goldmark.New(
	goldmark.WithExtensions(extension.GFM),
	goldmark.WithRendererOptions(renderer.WithNodeRenderers(util.Prioritized(plain{}, 100))),
)

// formatted returns a text as HTML, or "" if it is shown as it is written.
func formatted(source string) template.HTML {
	if utf8.RuneCountInString(source) > maxFormatted || strings.Count(source, ">") > maxMarks ||
		strings.Count(source, "[") > maxMarks {
		return ""
	}
	content := []byte(source)
	document := markdown.Parser().Parse(text.NewReader(content))
	_ = ast.Walk(document, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		switch n.(type) {
		case *ast.Link, *ast.AutoLink:
			n.SetAttributeString("rel", []byte("noopener noreferrer nofollow"))
		}
		return ast.WalkContinue, nil
	})
	var out bytes.Buffer
	if err := markdown.Renderer().Render(&out, content, document); err != nil {
		return "" // a buffer takes everything
	}
	return template.HTML(out.String()) //nolint:gosec // without the HTML of the text
}

// plain writes headings as paragraphs, because they are none of the page, and the boxes of lists as characters, because
// nobody can tick them there.
type plain struct{}

func (plain) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(ast.KindHeading, func(w util.BufWriter, _ []byte, _ ast.Node, entering bool) (ast.WalkStatus, error) {
		tag := "</strong></p>\n"
		if entering {
			tag = "<p><strong>"
		}
		_, _ = w.WriteString(tag) // into a buffer
		return ast.WalkContinue, nil
	})
	box := func(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		if box, is := n.(*east.TaskCheckBox); is && entering {
			_, _ = w.WriteString(map[bool]string{true: "☑ ", false: "☐ "}[box.IsChecked])
		}
		return ast.WalkContinue, nil
	}
	r.Register(east.KindTaskCheckBox, box)
}
