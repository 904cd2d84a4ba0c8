package transfer

import (
	"context"
	"encoding/binary"
	"fmt"
	"strings"
	"time"
	"unicode"

	"filippo.io/age"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/id"
	"github.com/rowhouse/rowhouse/outbound/bucket"
	"github.com/rowhouse/rowhouse/problem"
	"github.com/rowhouse/rowhouse/tenancy/organization/audit"
)

// Backups are archives of all bases of an organization in a bucket of its own, made each night by jobs of the service
// (backuprun.go). An admin says where they go.

// A BackupSetting says where the bases of an organization are backed up to, and how.
type BackupSetting struct {
	bucket.Destination

	KeepDays    int
	Recipient   string // of age: archives are encrypted for it; "": they are not
	Attachments bool   // go in

	NextAt    time.Time
	ChangedBy uuid.UUID
	ChangedAt time.Time
}

// The night of backups, in UTC. Each organization has its minute in it.
const (
	nightBegins  = time.Hour
	nightMinutes = 4 * 60
)

// TestTime bounds the test of a destination.
const TestTime = 25 * time.Second

// nextBackup is the first moment after one at which the bases of an organization are backed up.
func nextBackup(org uuid.UUID, after time.Time) time.Time {
	minute := time.Duration(binary.BigEndian.Uint32(org[12:])%nightMinutes) * time.Minute
	at := after.UTC().Truncate(24 * time.Hour).Add(nightBegins + minute)
	if !at.After(after) {
		at = at.Add(24 * time.Hour)
	}
	return at
}

// secretLabel binds a sealed secret to its organization.
func secretLabel(org uuid.UUID) string { return "the backup secret of " + id.Format(id.Org, org) }

// clean checks what people have written.
func (in *BackupSetting) clean(checkAddress func(string) error) error {
	in.Endpoint = strings.TrimRight(strings.TrimSpace(in.Endpoint), "/")
	in.Prefix = strings.Trim(strings.TrimSpace(in.Prefix), "/")
	in.Recipient = strings.TrimSpace(in.Recipient)
	if err := checkAddress(in.Endpoint); err != nil {
		return problem.Invalid("endpoint", "%s", err)
	}
	for path, text := range map[string]string{
		"region": in.Region, "bucket": in.Bucket, "accessKey": in.AccessKey, "secretKey": in.SecretKey,
	} {
		if strings.ContainsFunc(text, func(r rune) bool { return r <= ' ' || r > '~' }) {
			return problem.Invalid(path, "may have no spaces, and only letters, digits and signs of ASCII")
		}
	}
	if strings.ContainsFunc(in.Prefix, unicode.IsControl) || strings.Contains(in.Prefix, "//") ||
		strings.Contains("/"+in.Prefix+"/", "/../") || strings.Contains("/"+in.Prefix+"/", "/./") {
		return problem.Invalid("prefix", "must be the names of folders, such as rowhouse/backups")
	}
	if in.Recipient != "" {
		if _, err := recipient(in.Recipient); err != nil {
			return problem.Invalid("recipient", "must be a public key of age, which begins with age1")
		}
	}
	return nil
}

// recipient reads a public key of age.
func recipient(text string) (age.Recipient, error) {
	found, err := age.ParseRecipients(strings.NewReader(text))
	if err != nil {
		return nil, fmt.Errorf("reading a recipient: %w", err)
	}
	if len(found) != 1 {
		return nil, fmt.Errorf("%d recipients instead of one", len(found))
	}
	return found[0], nil
}

// CheckBackups checks settings that somebody has written, and completes them: without a secret, that of the same key at
// the same endpoint stays.
func (s *Store) CheckBackups(ctx context.Context, org uuid.UUID, in *BackupSetting) error {
	if err := in.clean(s.Buckets.Check); err != nil {
		return err
	}
	if in.SecretKey != "" {
		return nil
	}
	known, err := s.BackupSetting(ctx, org)
	switch {
	case err != nil && problem.KindOf(err) != problem.KindNotFound:
		return err
	case err != nil || known.Endpoint != in.Endpoint || known.AccessKey != in.AccessKey:
		return problem.Invalid("secretKey", "is required for a new endpoint or access key")
	}
	in.SecretKey = known.SecretKey
	return nil
}

// SetBackups stores settings that were checked, and whose destination was tested.
func (s *Store) SetBackups(ctx context.Context, org, person uuid.UUID, in *BackupSetting) error {
	in.NextAt, in.ChangedBy, in.ChangedAt = nextBackup(org, time.Now()), person, time.Now().UTC()
	secret := s.Tokens.Seal([]byte(in.SecretKey), secretLabel(org))
	err := s.DB.Batch(ctx, org, func(b *pgx.Batch) {
		b.Queue(`insert into rowhouse.backup_setting (org_id, endpoint, region, bucket, prefix, access_key, secret,
				keep_days, recipient, attachments, next_at, changed_by, changed_at)
			values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
			on conflict (org_id) do update set endpoint = $2, region = $3, bucket = $4, prefix = $5, access_key = $6,
				secret = $7, keep_days = $8, recipient = $9, attachments = $10, changed_by = $12, changed_at = $13`,
			org, in.Endpoint, in.Region, in.Bucket, in.Prefix, in.AccessKey, secret, in.KeepDays, in.Recipient,
			in.Attachments, in.NextAt, in.ChangedBy, in.ChangedAt)
		audit.Record(ctx, b, org, &audit.Event{
			Action: "set_backup_settings", Subject: id.Format(id.Org, org), Detail: map[string]any{
				"endpoint": in.Endpoint, "bucket": in.Bucket, "prefix": in.Prefix, "accessKey": in.AccessKey,
				"keepDays": in.KeepDays, "encrypted": in.Recipient != "", "attachments": in.Attachments,
			},
		})
	})
	if err != nil {
		return fmt.Errorf("storing the settings of backups: %w", err)
	}
	return nil
}

// TestDestination writes a small object to a destination, reads it and deletes it. The error says what the store
// answered.
func (s *Store) TestDestination(ctx context.Context, to *bucket.Destination) error {
	ctx, cancel := context.WithTimeout(ctx, TestTime)
	defer cancel()
	opened, err := s.Buckets.Open(to)
	if err != nil {
		return err //nolint:wrapcheck // it is for the person
	}
	return opened.Test(ctx, to) //nolint:wrapcheck // it is for the person
}

// BackupSetting returns the settings of an organization with the secret, or an error of kind not_found.
func (s *Store) BackupSetting(ctx context.Context, org uuid.UUID) (*BackupSetting, error) {
	var out *BackupSetting
	var secret []byte
	err := s.DB.Batch(ctx, org, func(b *pgx.Batch) {
		b.Queue(`select endpoint, region, bucket, prefix, access_key, secret, keep_days, recipient, attachments,
			next_at, changed_by, changed_at from rowhouse.backup_setting where org_id = $1`, org).
			Query(func(rows pgx.Rows) error {
				for rows.Next() {
					out = &BackupSetting{}
					if err := rows.Scan(&out.Endpoint, &out.Region, &out.Bucket, &out.Prefix, &out.AccessKey, &secret,
						&out.KeepDays, &out.Recipient, &out.Attachments, &out.NextAt, &out.ChangedBy,
						&out.ChangedAt); err != nil {
						return err
					}
				}
				return rows.Err()
			})
	})
	if err != nil {
		return nil, fmt.Errorf("reading the settings of backups: %w", err)
	}
	if out == nil {
		return nil, problem.NotFound("backup settings", id.Format(id.Org, org))
	}
	plain, err := s.Tokens.Open(secret, secretLabel(org))
	if err != nil {
		return nil, problem.Conflict("The secret of the backup destination cannot be read any more; set it again.").
			Because(err)
	}
	out.SecretKey = string(plain)
	return out, nil
}

// ForgetBackups deletes the settings of an organization, and ends the backups that have not ended. What is in the
// bucket stays.
func (s *Store) ForgetBackups(ctx context.Context, org uuid.UUID) error {
	err := s.DB.Batch(ctx, org, func(b *pgx.Batch) {
		b.Queue("delete from rowhouse.backup_setting where org_id = $1", org)
		b.Queue(`update rowhouse.backup set state = 'failed', ended_at = now(), message = 'Backups were switched off.'
			where org_id = $1 and state = 'running'`, org)
		b.Queue(`update rowhouse.job set cancelled = true,
				state = case when leased_until > now() then state else 'cancelled' end,
				ended_at = case when leased_until > now() then null else now() end
			where org_id = $1 and kind = 'backup_base' and state in ('queued', 'running')`, org)
		audit.Record(ctx, b, org, &audit.Event{Action: "delete_backup_settings", Subject: id.Format(id.Org, org)})
	})
	if err != nil {
		return fmt.Errorf("deleting the settings of backups: %w", err)
	}
	return nil
}

// A Backup is one backup of a base.
type Backup struct {
	ID                 uuid.UUID // of the job, too
	Base               uuid.UUID
	BaseName           string
	State              BackupState
	Store, Object      string
	Encrypted          bool
	Uploaded           bool
	Bytes              int64
	SHA256             string
	Tables             int
	Records, Files     int64
	Message            string
	Person             uuid.UUID // who asked for it; zero: it was time
	StartedAt          time.Time
	EndedAt, DeletedAt *time.Time
}

// A BackupState is how a backup is. It is stored, so it must not change.
type BackupState string

// The states. A backup is good if it was restored and is what its manifest says.
const (
	BackupRunning BackupState = "running"
	BackupGood    BackupState = "ok"
	BackupFailed  BackupState = "failed"
)

// backupColumns are those of a Backup in the order of its members. A backup whose job is gone with its base has failed.
const backupColumns = `b.id, b.base_id, b.base_name,
	case when b.state = 'running' and j.id is null then 'failed' else b.state end, b.store, b.object, b.encrypted,
	b.uploaded, b.bytes, b.sha256, b.tables, b.records, b.files,
	case when b.state = 'running' and j.id is null then 'The base was deleted meanwhile.' else b.message end,
	coalesce(b.person_id, '` + noUUID + `'), b.started_at, b.ended_at, b.deleted_at`

const fromBackups = " from rowhouse.backup b left join rowhouse.job j on j.org_id = b.org_id and j.id = b.id "

// Backups lists the backups of an organization, the latest first.
func (s *Store) Backups(ctx context.Context, org, before uuid.UUID, limit int) ([]Backup, error) {
	if before == uuid.Nil {
		before = uuid.Max
	}
	var found []Backup
	err := s.DB.Batch(ctx, org, func(b *pgx.Batch) {
		b.Queue("select "+backupColumns+fromBackups+"where b.org_id = $1 and b.id < $2 order by b.id desc limit $3",
			org, before, limit).Query(func(rows pgx.Rows) (err error) {
			found, err = pgx.CollectRows(rows, pgx.RowToStructByPos[Backup])
			return err
		})
	})
	if err != nil {
		return nil, fmt.Errorf("reading backups: %w", err)
	}
	return found, nil
}
