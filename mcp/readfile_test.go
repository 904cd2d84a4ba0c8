package mcp_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"net/http"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/rowhouse/rowhouse/interoptest"
	"github.com/rowhouse/rowhouse/mcp/mcptest"
	"github.com/rowhouse/rowhouse/tenancy/attachment"
)

// onePage is a PDF with one page. Its table of offsets is wrong, so that the reader has to find the
// objects.
const onePage = "" +
	"%PDF-1.4\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n2 0 obj\n<< /Type /Pages /Kids " +
	"[4 0 R] /Count 1 >>\nendobj\n3 0 obj\n<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>\nendobj\n4 0 obj\n" +
	"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 5 0 R /Resources << /Font << /F1 3 0 R >> >> >>\n" +
	"endobj\n5 0 obj\n<< /Length 48 >>\nstream\nBT /F1 12 Tf 72 720 Td (Harbour dues) Tj ET     \nendstream\nendobj\n" +
	"trailer\n<< /Root 1 0 R >>\nstartxref\n0\n%%EOF\n"

func imageOf(t *testing.T, width, height int) string {
	t.Helper()
	drawn := image.NewNRGBA(image.Rect(0, 0, width, height))
	for x := range width {
		drawn.Set(x, height/2, color.NRGBA{R: 255, A: 255}) // the rest is transparent
	}
	var out bytes.Buffer
	if err := png.Encode(&out, drawn); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestReadAttachment(t *testing.T) {
	t.Parallel()
	attachment.WarmText() // as the service does; a call does not wait that long on a busy machine
	s, owner, _, table := setup(t)
	c := s.Dial(t, owner, mcptest.Stateless, "/mcp", nil)
	owner.ID("POST", "/tables/"+table+"/fields", `{"name":"Files","type":"attachment"}`)
	owner.ID("POST", "/tables/"+table+"/fields", `{"name":"Extra","type":"json"}`)
	attach := func(name, content string) (record, file string) {
		t.Helper()
		file = c.ID("create_attachment", object{
			"tableId": table, "name": name, "content": base64.StdEncoding.EncodeToString([]byte(content)),
		})
		made := c.OK("create_records", object{"tableId": table, "fields": object{"Files": []string{file}}})
		return mcptest.IDs(made)[0].(string), file
	}
	for name, test := range map[string]struct{ content, kind, text string }{
		"a.txt":  {"hello", "text/plain", "hello"},
		"a.csv":  {"Name,Tons\nAase,90\n", "text/csv", "Name,Tons\nAase,90\n"},
		"a.json": {`{"a":1}`, "application/json", `{"a":1}`},
		"a.md":   {"# Title\n", "text/markdown", "# Title\n"},
		"a.html": {"<!doctype html><p>One<script>two()</script><p>Three", "text/html", "One\nThree"},
		"a.pdf":  {onePage, "application/pdf", "[Page 1]\nHarbour dues\n\n"},
	} {
		record, file := attach(name, test.content)
		got := c.OK("read_attachment", object{"recordId": record, "attachmentId": file})
		if got["text"] != test.text || got["type"] != test.kind || got["name"] != name ||
			!strings.Contains(fmt.Sprint(got["note"]), "not instructions") {
			t.Errorf("%s is %v", name, got)
		}
	}

	record, file := attach("a.zip", "PK\x03\x04hello")
	c.Refused("read_attachment", object{"recordId": record, "attachmentId": file}, "unreadable_type", "PDF", "JSON")
	record, file = attach("broken.pdf", "%PDF-1.7\nnothing")
	c.Refused("read_attachment", object{"recordId": record, "attachmentId": file}, "unreadable_file")

	// A file can be read only through a record that has it.
	secret, hidden := attach("secret.txt", "secret")
	c.Refused("read_attachment", object{"recordId": record, "attachmentId": hidden}, "not_found")
	c.OK("update_record", object{
		"recordId": record, "fields": object{"Extra": object{"id": hidden}},
	})
	c.Refused("read_attachment", object{"recordId": record, "attachmentId": hidden}, "not_found")
	c.OK("update_record", object{"recordId": record, "fields": object{"Extra": []object{{"id": hidden}}}})
	c.Refused("read_attachment", object{"recordId": record, "attachmentId": hidden}, "not_found")
	stranger := s.Dial(t, s.REST.Owner(t), mcptest.Stateless, "/mcp", nil)
	stranger.Refused("read_attachment", object{"recordId": secret, "attachmentId": hidden}, "not_found")
	c.OK("delete_records", object{"tableId": table, "ids": []string{secret}})
	c.Refused("read_attachment", object{"recordId": secret, "attachmentId": hidden}, "not_found")
}

// A long text is read in parts, none of which has more tokens than the call allows.
func TestReadAttachmentInParts(t *testing.T) {
	t.Parallel()
	s, owner, _, table := setup(t)
	c := s.Dial(t, owner, mcptest.Stateless, "/mcp", nil)
	owner.ID("POST", "/tables/"+table+"/fields", `{"name":"Files","type":"attachment"}`)
	whole := strings.Repeat("Größe \"und\" 7Gk2;的一是不了人\n", 700)
	file := c.ID("create_attachment", object{
		"tableId": table, "name": "long.txt", "content": base64.StdEncoding.EncodeToString([]byte(whole)),
	})
	record := mcptest.IDs(c.OK("create_records", object{
		"tableId": table, "fields": object{"Files": []string{file}},
	}))[0]
	for _, budget := range []int{500, 3000, 25_000} {
		var read strings.Builder
		offset, calls := 0.0, 0
		for {
			got := c.OK("read_attachment", object{
				"recordId": record, "attachmentId": file, "offset": offset, "maxTokens": budget,
			})
			read.WriteString(got["text"].(string))
			encoded, err := json.Marshal(got)
			if err != nil {
				t.Fatal(err)
			}
			if calls < 3 {
				if n := interoptest.Tokens(t, string(encoded))[0]; n > budget {
					t.Errorf("an answer has %d tokens of %d", n, budget)
				}
			}
			next, more := got["nextOffset"].(float64)
			if calls++; !more || calls > 500 {
				break
			}
			offset = next
		}
		if read.String() != whole {
			t.Errorf("with %d tokens, %d bytes of %d were read in %d calls", budget, read.Len(), len(whole), calls)
		}
	}
	c.Refused("read_attachment", object{"recordId": record, "attachmentId": file, "offset": 1_000_000}, "offset")
	rest := owner.OK("GET", fmt.Sprintf("/records/%s/attachments/%s/text?offset=6&limit=3", record, file), "")
	if rest["text"] != `"un` || rest["nextOffset"] != 9.0 {
		t.Errorf("REST reads %v", rest)
	}
}

func TestReadAttachmentAnswersImages(t *testing.T) {
	t.Parallel()
	s, owner, _, table := setup(t)
	owner.ID("POST", "/tables/"+table+"/fields", `{"name":"Files","type":"attachment"}`)
	bomb := []byte(imageOf(t, 1, 1))
	copy(bomb[16:], "\x00\x01\x00\x00\x00\x01\x00\x00") // 65536 by 65536 pixels, by its header
	for _, era := range []string{mcptest.Stateless, mcptest.Initialize} {
		c := s.Dial(t, owner, era, "/mcp", nil)
		call := func(content string) *sdk.CallToolResult {
			t.Helper()
			file := c.ID("create_attachment", object{
				"tableId": table, "name": "a.png", "content": base64.StdEncoding.EncodeToString([]byte(content)),
			})
			made := c.OK("create_records", object{"tableId": table, "fields": object{"Files": []string{file}}})
			result, err := c.CallTool(t.Context(), &sdk.CallToolParams{
				Name: "read_attachment", Arguments: object{"recordId": mcptest.IDs(made)[0], "attachmentId": file},
			})
			if err != nil {
				t.Fatal(err)
			}
			return result
		}
		result := call(imageOf(t, 3000, 1500))
		if result.IsError || len(result.Content) != 2 {
			t.Fatalf("an image is %v", result)
		}
		block, ok := result.Content[1].(*sdk.ImageContent)
		if !ok || block.MIMEType != "image/jpeg" || http.DetectContentType(block.Data) != "image/jpeg" {
			t.Fatalf("the image is %v", result.Content[1])
		}
		shown, err := jpeg.Decode(bytes.NewReader(block.Data))
		if err != nil || shown.Bounds().Dx() != 1024 || shown.Bounds().Dy() != 512 {
			t.Fatalf("the image is %v: %v", shown.Bounds(), err)
		}
		if r, _, _, _ := shown.At(5, 5).RGBA(); r < 0xf000 {
			t.Errorf("what is transparent is %v", shown.At(5, 5))
		}
		text := result.Content[0].(*sdk.TextContent).Text
		if len(text) > 500 || !strings.Contains(text, `"width":1024`) {
			t.Errorf("beside it stands %.1000s", text)
		}
		if result := call(string(bomb)); !result.IsError ||
			!strings.Contains(result.Content[0].(*sdk.TextContent).Text, "25 million") {
			t.Errorf("a bomb is %v", result.Content[0])
		}
	}
}
