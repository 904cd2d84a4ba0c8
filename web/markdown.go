package web

import (
	"bytes"
	"html/template"
	"net/url"
	"strings"
	"unicode/utf8"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// Texts that exceed a bound are shown as they are written. How long reading takes grows with the square of how many
// marks a text has that begin something, and anybody may answer a form.
const (
	maxFormatted = 10_000  // characters of a text
	maxMarks     = 600     // of a text
	maxPage      = 200_000 // bytes of all texts of a page
)

// markdown reads what the application's editor writes (docs/decisions/0080). It leaves HTML out, and tables, which the
// editor shows as they are written, and of which one of a few kilobytes would be a page of megabytes.
var markdown = goldmark.New(
	goldmark.WithExtensions(extension.Strikethrough, extension.Linkify, extension.TaskList),
	goldmark.WithRendererOptions(html.WithHardWraps(), renderer.WithNodeRenderers(util.Prioritized(plain{}, 100))),
)

// formatted returns a text as HTML, or "" if it is shown as it is written. left is how many bytes a page may still
// format, and is counted down.
func formatted(source string, left *int) template.HTML {
	marks := 0
	for _, mark := range []string{"*", "_", "~", "`", "[", "<", ">", "+ ", "- ", ". "} {
		marks += strings.Count(source, mark)
	}
	if marks > maxMarks || len(source) > *left || utf8.RuneCountInString(source) > maxFormatted {
		return ""
	}
	*left -= len(source)
	content := []byte(source)
	document := markdown.Parser().Parse(text.NewReader(content))
	var out bytes.Buffer
	if err := markdown.Renderer().Render(&out, content, document); err != nil {
		return "" // a buffer takes everything
	}
	return template.HTML(out.String()) //nolint:gosec // without the HTML of the text
}

// plain writes headings as paragraphs, because they are none of the page, the boxes of lists as characters, because
// nobody can tick them, pictures as their names, because a page loads none from elsewhere, and links only to the web
// and to mailboxes.
type plain struct{}

func (plain) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	write := func(kind ast.NodeKind, tags func(n ast.Node, source []byte) (start, end string)) {
		r.Register(kind, func(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
			start, end := tags(n, source)
			if entering {
				_, _ = w.WriteString(start) // into a buffer
			} else {
				_, _ = w.WriteString(end)
			}
			return ast.WalkContinue, nil
		})
	}
	write(ast.KindHeading, func(ast.Node, []byte) (string, string) { return "<p><strong>", "</strong></p>\n" })
	write(ast.KindImage, func(ast.Node, []byte) (string, string) { return "", "" })
	write(east.KindTaskCheckBox, func(n ast.Node, _ []byte) (string, string) {
		if box, is := n.(*east.TaskCheckBox); is && box.IsChecked {
			return "☑ ", ""
		}
		return "☐ ", ""
	})
	write(ast.KindLink, func(n ast.Node, _ []byte) (string, string) {
		link, is := n.(*ast.Link)
		if !is {
			return "", ""
		}
		return anchor(string(link.Destination))
	})
	write(ast.KindAutoLink, func(n ast.Node, source []byte) (string, string) {
		link, is := n.(*ast.AutoLink)
		if !is {
			return "", ""
		}
		address := string(link.URL(source))
		if link.AutoLinkType == ast.AutoLinkEmail && !strings.HasPrefix(address, "mailto:") {
			address = "mailto:" + address
		}
		start, end := anchor(address)
		return start + template.HTMLEscapeString(string(link.Label(source))) + end, ""
	})
}

// anchor returns the tags of a link; none where its address does not lead to the web or to a mailbox.
func anchor(address string) (start, end string) {
	target, err := url.Parse(address)
	if err != nil || target.Scheme != "http" && target.Scheme != "https" && target.Scheme != "mailto" {
		return "", ""
	}
	href := template.HTMLEscapeString(target.String())
	return `<a href="` + href + `" rel="noopener noreferrer nofollow">`, "</a>"
}
