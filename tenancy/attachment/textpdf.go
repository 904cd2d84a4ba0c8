package attachment

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/klippa-app/go-pdfium"
	pdferrors "github.com/klippa-app/go-pdfium/errors"
	"github.com/klippa-app/go-pdfium/requests"
	"github.com/klippa-app/go-pdfium/webassembly"
	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"

	"github.com/rowhouse/rowhouse/problem"
)

// PDFs are read by PDFium, which runs in WebAssembly: it reaches no files, no network and no memory but its own, so
// that what a hostile file may break is the reading of this file. A file gets an instance of its own, which ends with
// it.

// Bounds of the reading of a PDF.
const (
	maxPages     = 1000
	maxInstances = 2    // at once, in this process
	memoryPages  = 1536 // of 64 KiB, of an instance
	maxReading   = 10 * time.Second
)

// pdfTimeout is how long the reading of one PDF may take. Tests shorten it.
var pdfTimeout = maxReading

// WarmText compiles the reader of PDFs, which takes some seconds, so that the first file does not wait for it.
func WarmText() { _, _ = pdfs() } // an error comes again when a PDF is read

// pdfs returns the instances. The first call compiles PDFium.
var pdfs = sync.OnceValues(func() (pdfium.Pool, error) {
	pool, err := webassembly.Init(webassembly.Config{
		MaxIdle: 0, MaxTotal: maxInstances,
		FSConfig: wazero.NewFSConfig(), // without any folder; the default would be all
		Stdout:   io.Discard, Stderr: io.Discard,
		RuntimeConfig: wazero.NewRuntimeConfig().
			WithCoreFeatures(api.CoreFeaturesV2 | experimental.CoreFeaturesExceptionHandling).
			WithMemoryLimitPages(memoryPages).
			WithCloseOnContextDone(true), // so that Kill ends a loop
	})
	if err != nil {
		return nil, fmt.Errorf("starting the reader of PDFs: %w", err)
	}
	return pool, nil
})

// readPDF returns the text of a PDF, page by page.
func readPDF(ctx context.Context, raw []byte) (Text, error) {
	ready := make(chan struct{})
	go func() {
		defer close(ready)
		_, _ = pdfs()
	}()
	select {
	case <-ready:
	case <-ctx.Done():
		return Text{}, (&problem.Error{
			Kind: problem.KindUnavailable, Code: problem.CodeFilesStarting, RetryAfter: 5 * time.Second,
			Message: "The service has just started and still prepares the reader of PDFs; try again shortly.",
		}).Because(ctx.Err())
	}
	pool, err := pdfs()
	if err != nil {
		return Text{}, err
	}
	instance, err := pool.GetInstanceWithContext(ctx)
	if err != nil {
		return Text{}, errBusy(err)
	}
	bounded, cancel := context.WithTimeout(ctx, pdfTimeout)
	defer cancel()
	killed := make(chan struct{})
	stop := context.AfterFunc(bounded, func() {
		defer close(killed)
		_ = instance.Kill() // it may have ended by itself
	})
	out, err := pagesOf(bounded, instance, raw)
	if stop() {
		_ = instance.Close() // whatever it says, the instance is not used again
	} else {
		<-killed
	}
	switch {
	case ctx.Err() != nil:
		return Text{}, errBusy(ctx.Err())
	case bounded.Err() != nil:
		return Text{}, refused(problem.CodeFileTooSlow,
			"Reading the PDF took longer than %v, and was given up. Its url has "+
				"the file.", maxReading)
	}
	return out, err
}

func errBusy(cause error) error {
	return (&problem.Error{
		Kind: problem.KindUnavailable, Code: problem.CodeFilesBusy, RetryAfter: 5 * time.Second,
		Message: "Other PDFs are being read at this moment; try again shortly.",
	}).Because(cause)
}

// pagesOf reads the pages of a PDF. What breaks in the sandbox is an error of the file.
func pagesOf(ctx context.Context, instance pdfium.Pdfium, raw []byte) (out Text, err error) {
	defer func() {
		if failure := recover(); failure != nil {
			err = unreadablePDF(fmt.Errorf("the reader of PDFs panicked: %v", failure))
		}
	}()
	opened, err := instance.OpenDocument(&requests.OpenDocument{File: &raw})
	if errors.Is(err, pdferrors.ErrPassword) {
		return Text{}, refused(
			problem.CodeFileProtected,
			"The PDF is protected with a password, and its text cannot be read.",
		)
	}
	if err != nil {
		return Text{}, unreadablePDF(err)
	}
	counted, err := instance.FPDF_GetPageCount(&requests.FPDF_GetPageCount{Document: opened.Document})
	if err != nil {
		return Text{}, unreadablePDF(err)
	}
	out.Pages = counted.PageCount
	var text strings.Builder
	for i := range min(out.Pages, maxPages) {
		if err := ctx.Err(); err != nil {
			return Text{}, err
		}
		page, err := instance.GetPageText(&requests.GetPageText{
			Page: requests.Page{ByIndex: &requests.PageByIndex{Document: opened.Document, Index: i}},
		})
		fmt.Fprintf(&text, "[Page %d]\n", i+1)
		if err != nil {
			text.WriteString("(this page cannot be read)\n\n")
			continue
		}
		text.WriteString(pageText.Replace(page.Text))
		text.WriteString("\n\n")
		if text.Len() > maxText {
			break
		}
	}
	out.Text, out.Cut = strings.ToValidUTF8(clean(text.String()), "\ufffd"), out.Pages > maxPages
	return out.cut(), nil
}

// pageText joins words that the end of a line divides, which PDFium marks with a character of its own.
var pageText = strings.NewReplacer("\x02\r\n", "", "\x02", "", "\r\n", "\n", "\r", "\n")

func unreadablePDF(cause error) error {
	return refused(
		problem.CodeUnreadableFile,
		"The file is no PDF that can be read; it may be damaged. Its url has the file.",
	).
		Because(cause)
}
