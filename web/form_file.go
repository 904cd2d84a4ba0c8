package web

import (
	"cmp"
	"context"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/google/uuid"

	"github.com/rowhouse/rowhouse/authz/limit"
	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/attachment"
	"github.com/rowhouse/rowhouse/tenancy/field"
	forms "github.com/rowhouse/rowhouse/tenancy/form"
	"github.com/rowhouse/rowhouse/tenancy/organization"
	"github.com/rowhouse/rowhouse/tenancy/schema"
	"github.com/rowhouse/rowhouse/web/text"
)

// A file of an answer is uploaded before the answer is sent, with the solved challenge of the page. Its id is computed
// from the challenge and a number below maxFormUploads, so that a challenge makes no more files than that, and nothing
// has to be counted. The page gets a token that names the file, with a MAC over the challenge and the question: only
// this answer to this form can have it. A file that no answer has is removed after a day, as every unused one.

const (
	maxFormFile    = 20 << 20 // bytes of one file
	maxFormUploads = 20       // of one challenge
	maxFormWaiting = 1 << 30  // bytes of the files of a table that no answer has yet
	formUploadTime = 3 * time.Minute
)

// formUploads bounds the uploads at once to one form, and by forms in this process.
var formUploads = limit.BulkheadOptions{Max: 4, Share: 2}

// fileID returns the id of a file that is uploaded with a challenge. It begins with a time, as other ids do.
func (c *Challenger) fileID(share, challenge, question string, number int) uuid.UUID {
	use, _ := c.open(share, challenge)
	signed := []string{"form file", share, challenge, question, strconv.Itoa(number)}
	mac := c.seals.MAC([]byte(strings.Join(signed, " ")))
	var of uuid.UUID
	copy(of[:], mac)
	var made [8]byte
	binary.BigEndian.PutUint64(made[:], uint64(use.Expires.Add(-challengeLife).UnixMilli()))
	copy(of[:6], made[2:])
	of[6], of[8] = of[6]&0x0f|0x70, of[8]&0x3f|0x80
	return of
}

// fileToken names a file in an answer to a question that is sent with a challenge.
func (c *Challenger) fileToken(share, challenge, question string, file uuid.UUID) string {
	public := id.Format(id.Attachment, file)
	mac := c.seals.MAC(signedFile(share, challenge, question, public))
	return public + "." + base64.RawURLEncoding.EncodeToString(mac)
}

func signedFile(share, challenge, question, file string) []byte {
	return []byte(strings.Join([]string{"form file token", share, challenge, question, file}, " "))
}

// openFile returns the file of a token, also if the challenge has ended.
func (c *Challenger) openFile(share, challenge, question, token string) (file uuid.UUID, ok bool) {
	public, code, _ := strings.Cut(token, ".")
	mac, err := base64.RawURLEncoding.Strict().DecodeString(code)
	if err != nil || !c.seals.Verify(signedFile(share, challenge, question, public), mac) {
		return uuid.Nil, false
	}
	file, err = id.Parse(id.Attachment, public)
	return file, err == nil
}

// formFile is a file on the page of a form.
type formFile struct {
	Token, Name, Size string
}

func newFormFile(token string, f *attachment.File) formFile {
	size := strconv.FormatInt((f.Size+1023)>>10, 10) + " KB"
	if f.Size >= 1<<20 {
		size = strconv.FormatFloat(float64(f.Size)/(1<<20), 'f', 1, 64) + " MB"
	}
	return formFile{token, f.Name, size}
}

// postFile stores a file for an answer that is not sent yet, and answers with its token.
func (s *shareHandler) postFile(w http.ResponseWriter, r *http.Request) {
	file, err := s.receiveFile(w, r)
	if err != nil {
		w.Header().Set("Connection", "close") // so that the rest need not be read
		problem.Write(w, r, translate(languageOf(w.Header(), r), strangerError(err)))
		return
	}
	body, err := json.Marshal(map[string]string{"token": file.Token, "name": file.Name, "size": file.Size})
	if err != nil {
		problem.Write(w, r, err)
		return
	}
	send(w, http.StatusOK, "application/json", body)
}

// strangerError is an error without what only members may know.
func strangerError(err error) error {
	var known *problem.Error
	if errors.As(err, &known) && known.Code == problem.CodeNoRoomForFiles {
		return problem.Conflict("%s", text.English.Form.NoRoom)
	}
	return err
}

func (s *shareHandler) receiveFile(w http.ResponseWriter, r *http.Request) (formFile, error) {
	ctx, share, given := r.Context(), chi.URLParam(r, "share"), r.URL.Query()
	target, err := s.resolve(ctx, share)
	if err != nil {
		return formFile{}, err
	}
	if err := checkPass(r, target); err != nil {
		return formFile{}, err
	}
	if r.ContentLength < 0 || r.ContentLength > maxFormFile {
		return formFile{}, attachment.TooLarge(maxFormFile)
	}
	challenge := given.Get("challenge")
	if _, valid := s.Work.open(share, challenge); !valid || !isSolution(challenge, given.Get("solution")) {
		return formFile{}, problem.Invalid("challenge", "%s", text.English.Form.UploadLate)
	}
	number, err := strconv.Atoi(given.Get("number"))
	if err != nil || number < 0 || number >= maxFormUploads {
		return formFile{}, problem.Invalid("number", "%s", text.English.Form.Script.ManyUploads)
	}
	if err := s.Limit.EnterFormFile(r, share); err != nil {
		return formFile{}, err //nolint:wrapcheck // it is for the caller
	}
	base, q, err := s.askedFile(r, target, given.Get("question"))
	if err != nil {
		return formFile{}, err
	}
	leave, err := s.uploads.Enter(ctx, share)
	if err != nil {
		return formFile{}, err //nolint:wrapcheck // it is for the caller
	}
	defer leave()
	control := http.NewResponseController(w)
	for _, set := range []func(time.Time) error{control.SetReadDeadline, control.SetWriteDeadline} {
		if err := set(s.Work.now().Add(formUploadTime)); err != nil && !errors.Is(err, http.ErrNotSupported) {
			return formFile{}, fmt.Errorf("giving an upload time: %w", err)
		}
	}
	var turn func(ctx context.Context) (func(), error)
	if s.Limit != nil {
		turn = func(ctx context.Context) (func(), error) { return s.Limit.EnterHeavy(ctx, target.Org) }
	}
	file, err := s.Files.Receive(s.asForm(base, nil), target.Org, uuid.Nil, base.view.Table.ID, attachment.Upload{
		ID:   s.Work.fileID(share, challenge, q.Field.PublicID(), number),
		Name: given.Get("name"), Subject: base.view.PublicID(), Size: r.ContentLength, Content: r.Body,
		Types: q.Files.Types, Waiting: maxFormWaiting, Turn: turn,
	})
	if err != nil {
		return formFile{}, err //nolint:wrapcheck // it says what was done
	}
	return newFormFile(s.Work.fileToken(share, challenge, q.Field.PublicID(), file.ID), &file), nil
}

// askedFile returns the question of a form for whose answer a file is uploaded, if the form takes answers.
func (s *shareHandler) askedFile(
	r *http.Request, target *organization.SharedTarget, field string,
) (base *shared, q *forms.Question, err error) {
	leave, err := s.Limit.EnterPage(r.Context(), target.Org)
	if err != nil {
		return nil, nil, err //nolint:wrapcheck // it is for the caller
	}
	defer leave()
	if base, err = s.shared(r.Context(), target); err != nil {
		return nil, nil, err
	}
	if base.form == nil {
		return nil, nil, errShareNotFound()
	}
	at := slices.IndexFunc(base.form.Questions, func(q forms.Question) bool {
		return q.Field.PublicID() == field && asksFiles(&q)
	})
	if at < 0 {
		return nil, nil, problem.Invalid("question", "This form asks for no such file.")
	}
	former, err := s.formerAnswer(r, base)
	if err != nil {
		return nil, nil, err
	}
	return base, &base.form.Questions[at], s.checkTakes(base, former)
}

func asksFiles(q *forms.Question) bool { return q.Field.Info().Ask == field.AskFiles && !q.URLOnly }

// givenFiles returns the files that were sent with an answer, by public id of the field, with tokens for the challenge
// of the page that comes next. What was not uploaded with the answer is left out.
func (s *shareHandler) givenFiles(
	base *shared, share string, given url.Values, challenge, next string,
) (map[string][]formFile, error) {
	files := map[string][]uuid.UUID{}
	var all []uuid.UUID
	for i := range base.form.Questions {
		q := &base.form.Questions[i]
		if !asksFiles(q) {
			continue
		}
		of := q.Field.PublicID()
		for _, token := range given[of] {
			if file, ok := s.Work.openFile(share, challenge, of, token); ok {
				files[of], all = append(files[of], file), append(all, file)
			}
		}
	}
	if len(all) == 0 {
		return nil, nil //nolint:nilnil // there are none
	}
	found, err := attachment.Find(base.as, s.DB, base.target.Org, base.view.Table.ID, all)
	if err != nil {
		return nil, err //nolint:wrapcheck // it says what was done
	}
	out := map[string][]formFile{}
	for of, ids := range files {
		for _, one := range ids {
			if f, is := found[one]; is {
				out[of] = append(out[of], newFormFile(s.Work.fileToken(share, next, of, one), &f))
			}
		}
	}
	return out, nil
}

// allowedFiles says which files a question takes.
func allowedFiles(say *text.Text, files *schema.FormFiles) string {
	named := make([]string, len(files.Types))
	for i, one := range files.Types {
		named[i] = cmp.Or(say.Form.FileKind(one), one)
	}
	return say.Form.Files(files.Max, named, maxFormFile>>20)
}
