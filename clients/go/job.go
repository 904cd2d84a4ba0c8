package rowhouse

import (
	"context"
	"fmt"
	"net/url"
)

// jobWait is how long one request waits for the end of a job, in seconds.
const jobWait = "25"

// Job reads an import or an export.
func (c *Client) Job(ctx context.Context, id string) (*Job, error) {
	out := &Job{}
	return out, c.Send(ctx, Request{Path: "/jobs/" + url.PathEscape(id)}, out)
}

// WaitForJob waits until a job has ended, and returns it. A job that failed or was cancelled is a *JobError.
func (c *Client) WaitForJob(ctx context.Context, id string) (*Job, error) {
	request := Request{Path: "/jobs/" + url.PathEscape(id), Query: url.Values{"wait": {jobWait}}}
	for {
		job := &Job{}
		if err := c.Send(ctx, request, job); err != nil {
			return nil, err
		}
		switch {
		case job.EndedAt == "":
		case job.State == "done":
			return job, nil
		default:
			return job, &JobError{job}
		}
	}
}

// A JobError is a job that did not do all of its work.
type JobError struct{ Job *Job }

func (e *JobError) Error() string {
	if problem := e.Job.Report.Problem; problem != "" {
		return fmt.Sprintf("the job %s: %s", e.Job.State, problem)
	}
	return "the job " + e.Job.State
}
