// Written by `npm run generate` from the OpenAPI document 81301cbf7faca7bd730ea2df431c14ad1cbf90cceffc7840d726211654518b13; not to be edited.

export interface paths {
    "/api/v1/bases": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Every base that the caller reaches.
         * @description Returns ids and names of all bases in all your organizations. Use describe_base for the tables and fields of one.
         */
        get: operations["list_bases"];
        put?: never;
        /**
         * Create an empty base.
         * @description Give workspaceId, or orgId for its default workspace, or neither when you belong to one organization. Then add tables with create_table.
         */
        post: operations["create_base"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/bases/{baseId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A base with all its tables, fields and views in one call.
         * @description Call this before reading or writing records: it returns table ids, field names and types, select options, and views. Of a large base ask for detail names first.
         */
        get: operations["describe_base"];
        put?: never;
        post?: never;
        /**
         * Delete a base with all its tables and records.
         * @description Everything in the base is gone for good.
         */
        delete: operations["delete_base"];
        options?: never;
        head?: never;
        /**
         * Change a base's name or icon, or move it to another workspace of its organization.
         * @description Only the members given are changed.
         */
        patch: operations["update_base"];
        trace?: never;
    };
    "/api/v1/bases/{baseId}/share": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whether a base is shared publicly, and under which id.
         * @description The public page is {service}/share/{publicShareId}.
         */
        get: operations["get_public_share"];
        /**
         * Make a base readable by anybody who has its share id.
         * @description Returns the share id. regenerate gives a new one, and the former is dead at once. End sharing with disable_public_share.
         */
        put: operations["set_public_share"];
        post?: never;
        /**
         * End the public share of a base.
         * @description The share id is dead at once.
         */
        delete: operations["disable_public_share"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/bases/{baseId}/tables": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The tables of a base.
         * @description Returns ids and names only. Use describe_base or describe_table for fields.
         */
        get: operations["list_tables"];
        put?: never;
        /**
         * Create a table, with its fields if they are given.
         * @description The first text-like field becomes the primary one; without any, a text field Name is made. A grid view is made too. Returns the table's id.
         */
        post: operations["create_table"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/fields/{fieldId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One field.
         * @description Returns a field's name, type and configuration.
         */
        get: operations["get_field"];
        put?: never;
        post?: never;
        /**
         * Delete a field with its values.
         * @description The values are gone for good. Deleting a link also deletes the field on its other side. The primary field cannot be deleted.
         */
        delete: operations["delete_field"];
        options?: never;
        head?: never;
        /**
         * Change a field's name, type, configuration, visibility or width.
         * @description Only the members given are changed. A change that would lose values, or leave a view with a filter that does not fit, is refused unless discard is true.
         */
        patch: operations["update_field"];
        trace?: never;
    };
    "/api/v1/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Who the caller is, and which organizations and bases it reaches.
         * @description Start here: it returns your id, this credential's scopes, your roles, and every base that you reach.
         */
        get: operations["get_me"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orgs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The organizations that the caller is a member of.
         * @description Returns the id, name and your role for each organization. Needed when you belong to several and want to create a base or workspace.
         */
        get: operations["list_orgs"];
        put?: never;
        /**
         * Create an organization that you own.
         * @description Returns its id. A person owns at most 20.
         */
        post: operations["create_org"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orgs/{orgId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One organization.
         * @description Returns an organization's name and your role in it.
         */
        get: operations["get_org"];
        put?: never;
        post?: never;
        /**
         * Delete an organization with all its workspaces, bases and records.
         * @description Only an owner may delete an organization. Everything in it is gone for good.
         */
        delete: operations["delete_org"];
        options?: never;
        head?: never;
        /**
         * Rename an organization.
         * @description Only an owner may rename an organization.
         */
        patch: operations["update_org"];
        trace?: never;
    };
    "/api/v1/orgs/{orgId}/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Who changed what, newest first.
         * @description Changes of schemas, shares, members, credentials, and bulk writes.
         */
        get: operations["list_audit_events"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orgs/{orgId}/invitations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The pending invitations of an organization.
         * @description Returns invitations that were not accepted yet, expired ones included.
         */
        get: operations["list_invitations"];
        put?: never;
        /**
         * Invite somebody into an organization by e-mail.
         * @description Sends a link that is good for 14 days. Inviting the same address again sends another link; all give the new role and end when the invitation is revoked.
         */
        post: operations["invite_member"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orgs/{orgId}/invitations/{invitationId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * End an invitation that was not accepted yet.
         * @description Its link is dead at once.
         */
        delete: operations["revoke_invitation"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orgs/{orgId}/leave": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Leave an organization.
         * @description You lose access to the organization at once. Its last owner cannot leave.
         */
        post: operations["leave_org"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orgs/{orgId}/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The members of an organization with their roles.
         * @description Returns user ids, names, e-mail addresses and roles. Use the user ids as values of user fields.
         */
        get: operations["list_members"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orgs/{orgId}/members/{userId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a member from an organization.
         * @description The person loses access at once; records they wrote stay. Only an owner removes an owner. To leave yourself, use leave_org.
         */
        delete: operations["remove_member"];
        options?: never;
        head?: never;
        /**
         * Give a member another role.
         * @description Roles: viewer reads, editor also writes records, admin also changes schemas and members, owner everything. Only an owner makes or changes owners.
         */
        patch: operations["set_member_role"];
        trace?: never;
    };
    "/api/v1/orgs/{orgId}/workspaces": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The workspaces of an organization.
         * @description Workspaces group bases. The first one of an organization is its default.
         */
        get: operations["list_workspaces"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/records/{recordId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One record.
         * @description Returns a record with all its fields.
         */
        get: operations["get_record"];
        put?: never;
        post?: never;
        /**
         * Delete one record.
         * @description The record is gone for good. Use delete_records for several.
         */
        delete: operations["delete_record"];
        options?: never;
        head?: never;
        /**
         * Change one record.
         * @description The given fields are merged into the record; null or an empty string clears.
         */
        patch: operations["update_record"];
        trace?: never;
    };
    "/api/v1/tables/{tableId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A table with its fields and views.
         * @description Returns field names, types and options, and the views. Records are read with query_records.
         */
        get: operations["describe_table"];
        put?: never;
        post?: never;
        /**
         * Delete a table with all its records.
         * @description The records are gone for good, and so are the link fields of other tables that point here.
         */
        delete: operations["delete_table"];
        options?: never;
        head?: never;
        /**
         * Change a table's name or icon.
         * @description Only the members given are changed.
         */
        patch: operations["update_table"];
        trace?: never;
    };
    "/api/v1/tables/{tableId}/attachments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Upload a small file, to be put into records of the table.
         * @description Then write [{id}] to an attachment field. For files over 1 MB POST the bytes to /api/v1/tables/{tableId}/uploads?name=…
         */
        post: operations["create_attachment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tables/{tableId}/fields": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The fields of a table.
         * @description Returns names, types and options. Records are keyed by field name.
         */
        get: operations["list_fields"];
        put?: never;
        /**
         * Add a field to a table.
         * @description Existing records get an empty value. Durations are seconds; 12.5 in a percent field is 12.5 %. Links and buttons are made in the application only.
         */
        post: operations["create_field"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tables/{tableId}/indexes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The indexes of a table: what exists, why, and since when.
         * @description Indexes appear by themselves where a large table is filtered, sorted or searched, and go when they are idle.
         */
        get: operations["list_indexes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tables/{tableId}/records": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The records of a table, filtered, sorted and paged.
         * @description Returns records with all their fields, or those in fields, and the exact total. A view applies its filters and sorts. eq on text minds case, contains does not. Use aggregate_records for counts and sums.
         */
        get: operations["query_records"];
        put?: never;
        /**
         * Create up to 100 records, or upsert them.
         * @description All are written or none. Give fields for one record or records for several. With upsertOn, 1 to 3 field names, a record that has the same values in them is updated instead; created and updated then list ids.
         */
        post: operations["create_records"];
        /**
         * Delete up to 100 records.
         * @description All are deleted or none, for good.
         */
        delete: operations["delete_records"];
        options?: never;
        head?: never;
        /**
         * Change up to 100 records.
         * @description The given fields are merged into each record; null or an empty string clears. All are changed or none.
         */
        patch: operations["update_records"];
        trace?: never;
    };
    "/api/v1/tables/{tableId}/records/aggregate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Counts, sums, averages, least and greatest values, in groups.
         * @description Results go by their function, as in sum(Price).
         */
        get: operations["aggregate_records"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tables/{tableId}/records/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The records of a table that hold a text in any field.
         * @description Finds substrings in any case of letters. Use query_records to combine a search with filters and sorts.
         */
        get: operations["search_records"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tables/{tableId}/uploads": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Upload a file, to be put into records of the table.
         * @description The body is the content, whatever its Content-Type says. Then write [{"id": …}] to an attachment field of the table.
         */
        post: operations["upload_file"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tables/{tableId}/views": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The views of a table.
         * @description A view holds filters, sorts and a layout. Give its id to query_records to read through it.
         */
        get: operations["list_views"];
        put?: never;
        /**
         * Create a view of a table.
         * @description Returns the view's id; set its filters, sorts and layout with update_view.
         */
        post: operations["create_view"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/uploads": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What files are taken. */
        get: operations["get_upload_limits"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/views/{viewId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One view.
         * @description Returns a view's type and configuration.
         */
        get: operations["get_view"];
        put?: never;
        post?: never;
        /**
         * Delete a view.
         * @description Records are not touched. The last view of a table that everybody sees cannot be deleted.
         */
        delete: operations["delete_view"];
        options?: never;
        head?: never;
        /**
         * Change a view's name or configuration.
         * @description config sets the keys given and leaves the others: filters and sorts as in query_records, groupBy, hiddenFields, fieldOrder, rowHeight, columnWidths, coverFieldId, stackFieldId, startFieldId, endFieldId and form texts. unset removes keys. Only admins change locked views.
         */
        patch: operations["update_view"];
        trace?: never;
    };
    "/api/v1/workspaces": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a workspace in an organization.
         * @description Returns the new workspace's id, to create bases in.
         */
        post: operations["create_workspace"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/workspaces/{workspaceId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete an empty workspace.
         * @description A workspace that holds bases, and the default workspace, cannot be deleted.
         */
        delete: operations["delete_workspace"];
        options?: never;
        head?: never;
        /**
         * Change a workspace's name, colour or icon.
         * @description Only the members given are changed.
         */
        patch: operations["update_workspace"];
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Problem: {
            /** @description about:blank, for the title is the status's own */
            type: string;
            title: string;
            status: number;
            /** @description what was wrong and what would be right */
            detail: string;
            /** @description machine-readable */
            code: string;
            requestId: string;
            /** @description every scope that the call needs, for code insufficient_scope */
            scopes?: string[];
            /** @description where a person can do in the application what was refused */
            openInApp?: string;
            /** @description each wrong place in the input */
            errors?: {
                path: string;
                message: string;
            }[];
        };
    };
    responses: {
        /** @description Bad Request */
        Problem400: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Unauthorized */
        Problem401: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Forbidden */
        Problem403: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Not Found */
        Problem404: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Method Not Allowed */
        Problem405: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Conflict */
        Problem409: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Precondition Failed */
        Problem412: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Request Entity Too Large */
        Problem413: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Unprocessable Entity */
        Problem422: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Too Many Requests */
        Problem429: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Internal Server Error */
        Problem500: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Service Unavailable */
        Problem503: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    list_bases: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        bases: {
                            id: string;
                            name: string;
                            workspaceId: null | string;
                            orgId: null | string;
                            icon?: {
                                /** @enum {string} */
                                kind: "emoji" | "lucide" | "image";
                                /** @description the emoji, the name of the lucide icon, or the https address of the image */
                                value: string;
                                /** @description a colour name, or # and six hexadecimal digits */
                                color?: string;
                            };
                        }[];
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    create_base: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own name for this request, such as a UUID. Sent again with it within 24 hours, the request is not done again and gets the same answer. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    /** @description the workspace to create it in */
                    workspaceId?: string;
                    /** @description the organization whose default workspace to create it in; needed only when you belong to several */
                    orgId?: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        name: string;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    describe_base: {
        parameters: {
            query?: {
                /** @description names leaves out what fields and views are configured with, but for links and filters; default full */
                detail?: "names" | "full";
                /** @description only these tables */
                tableIds?: string[];
            };
            header?: never;
            path: {
                baseId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        name: string;
                        tables: {
                            id: string;
                            name: string;
                            icon?: {
                                /** @enum {string} */
                                kind: "emoji" | "lucide" | "image";
                                /** @description the emoji, the name of the lucide icon, or the https address of the image */
                                value: string;
                                /** @description a colour name, or # and six hexadecimal digits */
                                color?: string;
                            };
                            fields: {
                                id: string;
                                /** @description records are keyed by it */
                                name: string;
                                type: string;
                                isPrimary: boolean;
                                /** @description place among the fields, from 0 */
                                order: number;
                                /** @description option names of a select field */
                                options?: string[];
                                /** @description of a link field */
                                linkedTableId?: string;
                                /** @description the service writes the values */
                                readOnly?: boolean;
                                hidden?: boolean;
                                width?: number;
                                config?: {
                                    description?: string;
                                    required?: boolean;
                                    unique?: boolean;
                                    default?: unknown;
                                    options?: {
                                        name: string;
                                        color?: string;
                                    }[];
                                    precision?: number;
                                    symbol?: string;
                                    max?: number;
                                    icon?: string;
                                    format?: string;
                                    dateFormat?: string;
                                    timeFormat?: string;
                                    timeZone?: string;
                                    linkedTableId?: string;
                                    inverseFieldId?: string;
                                    multiple?: boolean;
                                    label?: string;
                                    url?: string;
                                };
                            }[];
                            views: {
                                id: string;
                                name: string;
                                type: string;
                                config: {
                                    [key: string]: unknown;
                                };
                                /** @description collaborative, personal or locked */
                                access?: string;
                                /** @description user id */
                                createdBy?: string;
                                /** @description what in config no longer fits the fields; with one in filters the view shows nothing */
                                problems?: {
                                    path: string;
                                    message: string;
                                }[];
                            }[];
                        }[];
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    delete_base: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                baseId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description the id of what was deleted */
                        deleted: string;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    update_base: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                baseId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    name?: string;
                    icon?: {
                        /** @enum {string} */
                        kind: "emoji" | "lucide" | "image";
                        /** @description the emoji, the name of the lucide icon, or the https address of the image */
                        value: string;
                        /** @description a colour name, or # and six hexadecimal digits */
                        color?: string;
                    };
                    /** @description move the base to this workspace */
                    workspaceId?: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    get_public_share: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                baseId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description the secret part of the public address, or null when sharing is disabled */
                        publicShareId: null | string;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    set_public_share: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                baseId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    regenerate?: boolean;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description the secret part of the public address, or null when sharing is disabled */
                        publicShareId: null | string;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    disable_public_share: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                baseId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description the secret part of the public address, or null when sharing is disabled */
                        publicShareId: null | string;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    list_tables: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                baseId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        tables: {
                            id: string;
                            name: string;
                            icon?: {
                                /** @enum {string} */
                                kind: "emoji" | "lucide" | "image";
                                /** @description the emoji, the name of the lucide icon, or the https address of the image */
                                value: string;
                                /** @description a colour name, or # and six hexadecimal digits */
                                color?: string;
                            };
                        }[];
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    create_table: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own name for this request, such as a UUID. Sent again with it within 24 hours, the request is not done again and gets the same answer. */
                "Idempotency-Key"?: string;
            };
            path: {
                baseId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    fields?: {
                        name: string;
                        /** @enum {string} */
                        type: "text" | "long_text" | "email" | "url" | "phone" | "number" | "currency" | "percent" | "rating" | "duration" | "checkbox" | "date" | "datetime" | "single_select" | "multi_select" | "user" | "attachment" | "json" | "link" | "button" | "auto_number" | "created_time" | "last_modified_time" | "created_by" | "last_modified_by";
                        /** @description options [name] for selects, precision, symbol, max, format, timeZone, multiple; required, unique, default, description */
                        config?: Record<string, unknown>;
                    }[];
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        name: string;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    get_field: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                fieldId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        /** @description records are keyed by it */
                        name: string;
                        type: string;
                        isPrimary: boolean;
                        /** @description place among the fields, from 0 */
                        order: number;
                        /** @description option names of a select field */
                        options?: string[];
                        /** @description of a link field */
                        linkedTableId?: string;
                        /** @description the service writes the values */
                        readOnly?: boolean;
                        hidden?: boolean;
                        width?: number;
                        config?: {
                            description?: string;
                            required?: boolean;
                            unique?: boolean;
                            default?: unknown;
                            options?: {
                                name: string;
                                color?: string;
                            }[];
                            precision?: number;
                            symbol?: string;
                            max?: number;
                            icon?: string;
                            format?: string;
                            dateFormat?: string;
                            timeFormat?: string;
                            timeZone?: string;
                            linkedTableId?: string;
                            inverseFieldId?: string;
                            multiple?: boolean;
                            label?: string;
                            url?: string;
                        };
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    delete_field: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                fieldId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description the id of what was deleted */
                        deleted: string;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    update_field: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                fieldId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    name?: string;
                    /** @description another type, as in create_field; values are converted */
                    type?: string;
                    /** @description keys to change; null resets one. Give all options; {name, previousName} renames one */
                    config?: Record<string, unknown>;
                    hidden?: boolean;
                    /** @description in pixels */
                    width?: number;
                    position?: number;
                    /** @description say that values which do not fit any more may be lost, and that views whose filters do not fit show nothing */
                    discard?: boolean;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    get_me: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description the user's id */
                        id: string;
                        /**
                         * @description the kind of credential
                         * @enum {string}
                         */
                        kind: "api_key" | "oauth" | "session";
                        /** @description the scopes granted to the credential */
                        scopes: string[];
                        orgs: {
                            orgId: string;
                            /** @description owner, admin, editor or viewer */
                            role: string;
                        }[];
                        /** @description the bases that the credential reaches */
                        bases: {
                            id: string;
                            name: string;
                            workspaceId: null | string;
                            orgId: null | string;
                            icon?: {
                                /** @enum {string} */
                                kind: "emoji" | "lucide" | "image";
                                /** @description the emoji, the name of the lucide icon, or the https address of the image */
                                value: string;
                                /** @description a colour name, or # and six hexadecimal digits */
                                color?: string;
                            };
                        }[];
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    list_orgs: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        orgs: {
                            id: string;
                            name: string;
                            /** @description your role: owner, admin, editor or viewer */
                            role: string;
                        }[];
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    create_org: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own name for this request, such as a UUID. Sent again with it within 24 hours, the request is not done again and gets the same answer. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        name: string;
                        /** @description your role: owner, admin, editor or viewer */
                        role: string;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    get_org: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                orgId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        name: string;
                        /** @description your role: owner, admin, editor or viewer */
                        role: string;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    delete_org: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                orgId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description the id of what was deleted */
                        deleted: string;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    update_org: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                orgId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    list_audit_events: {
        parameters: {
            query?: {
                action?: string;
                cursor?: string;
                limit?: number;
                since?: string;
                subject?: string;
                /** @description RFC 3339 */
                until?: string;
                userId?: string;
            };
            header?: never;
            path: {
                orgId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        events: {
                            id: string;
                            time: string;
                            userId: null | string;
                            userName: null | string;
                            credentialKind?: string;
                            credentialId?: string;
                            requestId?: string;
                            action: string;
                            subject: string;
                            detail: Record<string, unknown>;
                        }[];
                        nextCursor: null | string;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    list_invitations: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                orgId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        invitations: {
                            id: string;
                            email: string;
                            /** @description owner, admin, editor or viewer */
                            role: string;
                            createdAt: string;
                            expiresAt: string;
                        }[];
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    invite_member: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own name for this request, such as a UUID. Sent again with it within 24 hours, the request is not done again and gets the same answer. */
                "Idempotency-Key"?: string;
            };
            path: {
                orgId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    email: string;
                    /**
                     * @description default viewer
                     * @enum {string}
                     */
                    role?: "viewer" | "editor" | "admin" | "owner";
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        email: string;
                        /** @description owner, admin, editor or viewer */
                        role: string;
                        createdAt: string;
                        expiresAt: string;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    revoke_invitation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                orgId: string;
                invitationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description the id of what was deleted */
                        deleted: string;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    leave_org: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own name for this request, such as a UUID. Sent again with it within 24 hours, the request is not done again and gets the same answer. */
                "Idempotency-Key"?: string;
            };
            path: {
                orgId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description the id of what was deleted */
                        deleted: string;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    list_members: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                orgId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        members: {
                            userId: string;
                            name: string;
                            email: string;
                            /** @description owner, admin, editor or viewer */
                            role: string;
                            /** @description when the person became a member */
                            since: string;
                        }[];
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    remove_member: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                orgId: string;
                userId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description the id of what was deleted */
                        deleted: string;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    set_member_role: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                orgId: string;
                userId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    role: "viewer" | "editor" | "admin" | "owner";
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    list_workspaces: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                orgId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        workspaces: {
                            id: string;
                            name: string;
                            color: string;
                            icon?: {
                                /** @enum {string} */
                                kind: "emoji" | "lucide" | "image";
                                /** @description the emoji, the name of the lucide icon, or the https address of the image */
                                value: string;
                                /** @description a colour name, or # and six hexadecimal digits */
                                color?: string;
                            };
                        }[];
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    get_record: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                recordId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        createdTime?: string;
                        fields: Record<string, unknown>;
                        id: string;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    delete_record: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                recordId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        deleted: string[];
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    update_record: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                recordId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description values by field name */
                    fields: Record<string, unknown>;
                    typecast?: boolean;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        createdTime?: string;
                        fields: Record<string, unknown>;
                        id: string;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    describe_table: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                tableId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        name: string;
                        icon?: {
                            /** @enum {string} */
                            kind: "emoji" | "lucide" | "image";
                            /** @description the emoji, the name of the lucide icon, or the https address of the image */
                            value: string;
                            /** @description a colour name, or # and six hexadecimal digits */
                            color?: string;
                        };
                        fields: {
                            id: string;
                            /** @description records are keyed by it */
                            name: string;
                            type: string;
                            isPrimary: boolean;
                            /** @description place among the fields, from 0 */
                            order: number;
                            /** @description option names of a select field */
                            options?: string[];
                            /** @description of a link field */
                            linkedTableId?: string;
                            /** @description the service writes the values */
                            readOnly?: boolean;
                            hidden?: boolean;
                            width?: number;
                            config?: {
                                description?: string;
                                required?: boolean;
                                unique?: boolean;
                                default?: unknown;
                                options?: {
                                    name: string;
                                    color?: string;
                                }[];
                                precision?: number;
                                symbol?: string;
                                max?: number;
                                icon?: string;
                                format?: string;
                                dateFormat?: string;
                                timeFormat?: string;
                                timeZone?: string;
                                linkedTableId?: string;
                                inverseFieldId?: string;
                                multiple?: boolean;
                                label?: string;
                                url?: string;
                            };
                        }[];
                        views: {
                            id: string;
                            name: string;
                            type: string;
                            config: {
                                [key: string]: unknown;
                            };
                            /** @description collaborative, personal or locked */
                            access?: string;
                            /** @description user id */
                            createdBy?: string;
                            /** @description what in config no longer fits the fields; with one in filters the view shows nothing */
                            problems?: {
                                path: string;
                                message: string;
                            }[];
                        }[];
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    delete_table: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                tableId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description the id of what was deleted */
                        deleted: string;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    update_table: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                tableId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    name?: string;
                    icon?: {
                        /** @enum {string} */
                        kind: "emoji" | "lucide" | "image";
                        /** @description the emoji, the name of the lucide icon, or the https address of the image */
                        value: string;
                        /** @description a colour name, or # and six hexadecimal digits */
                        color?: string;
                    };
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    create_attachment: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own name for this request, such as a UUID. Sent again with it within 24 hours, the request is not done again and gets the same answer. */
                "Idempotency-Key"?: string;
            };
            path: {
                tableId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    /** @description base64 */
                    content: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        name: string;
                        size: number;
                        type: string;
                        width?: number;
                        height?: number;
                        url: string;
                        thumbnailUrl?: string;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    list_fields: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                tableId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        fields: {
                            id: string;
                            /** @description records are keyed by it */
                            name: string;
                            type: string;
                            isPrimary: boolean;
                            /** @description place among the fields, from 0 */
                            order: number;
                            /** @description option names of a select field */
                            options?: string[];
                            /** @description of a link field */
                            linkedTableId?: string;
                            /** @description the service writes the values */
                            readOnly?: boolean;
                            hidden?: boolean;
                            width?: number;
                            config?: {
                                description?: string;
                                required?: boolean;
                                unique?: boolean;
                                default?: unknown;
                                options?: {
                                    name: string;
                                    color?: string;
                                }[];
                                precision?: number;
                                symbol?: string;
                                max?: number;
                                icon?: string;
                                format?: string;
                                dateFormat?: string;
                                timeFormat?: string;
                                timeZone?: string;
                                linkedTableId?: string;
                                inverseFieldId?: string;
                                multiple?: boolean;
                                label?: string;
                                url?: string;
                            };
                        }[];
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    create_field: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own name for this request, such as a UUID. Sent again with it within 24 hours, the request is not done again and gets the same answer. */
                "Idempotency-Key"?: string;
            };
            path: {
                tableId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    /** @enum {string} */
                    type: "text" | "long_text" | "email" | "url" | "phone" | "number" | "currency" | "percent" | "rating" | "duration" | "checkbox" | "date" | "datetime" | "single_select" | "multi_select" | "user" | "attachment" | "json" | "link" | "button" | "auto_number" | "created_time" | "last_modified_time" | "created_by" | "last_modified_by";
                    /** @description options [name] for selects, precision, symbol, max, format, timeZone, multiple; required, unique, default, description */
                    config?: Record<string, unknown>;
                    /** @description place among the fields, from 1; 0 is the primary field; default the end */
                    position?: number;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        name: string;
                        type: string;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    list_indexes: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                tableId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        indexes: {
                            /** @enum {string} */
                            kind: "primary" | "unique" | "lookup" | "search";
                            /** @description what asked for it, with fields by id */
                            reason: string;
                            /** @description false while it is being built */
                            ready: boolean;
                            bytes: number;
                            /** @description when it was built, for lookup and search */
                            since?: string;
                            /** @description when a query it serves was last seen, to the hour */
                            usedAt?: string;
                        }[];
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    query_records: {
        parameters: {
            query?: {
                /** @description of the page before */
                cursor?: string;
                /** @description names or ids of the fields to return; default all */
                fields?: string[];
                /** @description conditions that all hold: {fieldId, op, value}, {and: […]} or {or: […]}; fieldId is an id or a name. op: eq neq contains not_contains starts_with ends_with in not_in gt gte lt lte between is_within has_any has_all has_none is_exactly is_empty is_not_empty */
                filters?: string;
                limit?: number;
                /** @description records to skip; use cursor for deep pages */
                offset?: number;
                /** @description text that any field holds, in any case */
                search?: string;
                /** @description [{fieldId, dir}], dir asc or desc; empty values last */
                sorts?: string;
                /** @description view id */
                view?: string;
            };
            header?: never;
            path: {
                tableId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        cursor?: string;
                        hasMore: boolean;
                        limit: number;
                        offset: number;
                        records: {
                            createdTime?: string;
                            fields: Record<string, unknown>;
                            id: string;
                        }[];
                        total: number;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    create_records: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own name for this request, such as a UUID. Sent again with it within 24 hours, the request is not done again and gets the same answer. */
                "Idempotency-Key"?: string;
            };
            path: {
                tableId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description values by field name */
                    fields?: null | Record<string, unknown>;
                    records?: {
                        /** @description values by field name */
                        fields: Record<string, unknown>;
                    }[];
                    /** @description names of the fields to match on */
                    upsertOn?: string[];
                    /** @description convert values of other types, and add select options */
                    typecast?: boolean;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        created?: string[];
                        records: {
                            createdTime?: string;
                            fields: Record<string, unknown>;
                            id: string;
                        }[];
                        updated?: string[];
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    delete_records: {
        parameters: {
            query?: {
                ids?: string[];
            };
            header?: never;
            path: {
                tableId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    ids: string[];
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        deleted: string[];
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    update_records: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                tableId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    records: {
                        id: string;
                        /** @description values by field name */
                        fields: Record<string, unknown>;
                    }[];
                    typecast?: boolean;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        created?: string[];
                        records: {
                            createdTime?: string;
                            fields: Record<string, unknown>;
                            id: string;
                        }[];
                        updated?: string[];
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    aggregate_records: {
        parameters: {
            query?: {
                /** @description [{fn, fieldId}], fn count, sum, avg, min or max; default the number of records */
                aggregates?: string;
                /** @description conditions that all hold: {fieldId, op, value}, {and: […]} or {or: […]}; fieldId is an id or a name. op: eq neq contains not_contains starts_with ends_with in not_in gt gte lt lte between is_within has_any has_all has_none is_exactly is_empty is_not_empty */
                filters?: string;
                groupBy?: string[];
                limit?: number;
                search?: string;
                view?: string;
            };
            header?: never;
            path: {
                tableId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        groups: {
                            key: Record<string, unknown>;
                            results: Record<string, unknown>;
                        }[];
                        hasMore: boolean;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    search_records: {
        parameters: {
            query: {
                /** @description of the page before */
                cursor?: string;
                limit?: number;
                /** @description records to skip; use cursor for deep pages */
                offset?: number;
                q: string;
            };
            header?: never;
            path: {
                tableId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        cursor?: string;
                        hasMore: boolean;
                        limit: number;
                        offset: number;
                        records: {
                            createdTime?: string;
                            fields: Record<string, unknown>;
                            id: string;
                        }[];
                        total: number;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    upload_file: {
        parameters: {
            query: {
                name: string;
            };
            header?: never;
            path: {
                tableId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "*/*": string;
            };
        };
        responses: {
            /** @description The file is kept for a day, and from then on as long as a record holds it. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        name: string;
                        size: number;
                        type: string;
                        width?: number;
                        height?: number;
                        url: string;
                        thumbnailUrl?: string;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    list_views: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                tableId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        views: {
                            id: string;
                            name: string;
                            type: string;
                            config: {
                                [key: string]: unknown;
                            };
                            /** @description collaborative, personal or locked */
                            access?: string;
                            /** @description user id */
                            createdBy?: string;
                            /** @description what in config no longer fits the fields; with one in filters the view shows nothing */
                            problems?: {
                                path: string;
                                message: string;
                            }[];
                        }[];
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    create_view: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own name for this request, such as a UUID. Sent again with it within 24 hours, the request is not done again and gets the same answer. */
                "Idempotency-Key"?: string;
            };
            path: {
                tableId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    type: "grid" | "gallery" | "kanban" | "calendar" | "form";
                    name?: string;
                    /**
                     * @description personal: for its maker and admins; locked: changed by admins
                     * @enum {string}
                     */
                    access?: "collaborative" | "personal" | "locked";
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        name: string;
                        type: string;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    get_upload_limits: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description of one file */
                        maxBytes: number;
                        /** @description media types, as in image/*; empty is all */
                        types: string[];
                    };
                };
            };
            400: components["responses"]["Problem400"];
        };
    };
    get_view: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                viewId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        name: string;
                        type: string;
                        config: {
                            [key: string]: unknown;
                        };
                        /** @description collaborative, personal or locked */
                        access?: string;
                        /** @description user id */
                        createdBy?: string;
                        /** @description what in config no longer fits the fields; with one in filters the view shows nothing */
                        problems?: {
                            path: string;
                            message: string;
                        }[];
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    delete_view: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                viewId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description the id of what was deleted */
                        deleted: string;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    update_view: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                viewId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    name?: string;
                    config?: {
                        [key: string]: unknown;
                    };
                    unset?: string[];
                    /**
                     * @description personal: for its maker and admins; locked: changed by admins
                     * @enum {string}
                     */
                    access?: "collaborative" | "personal" | "locked";
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    create_workspace: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own name for this request, such as a UUID. Sent again with it within 24 hours, the request is not done again and gets the same answer. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description the organization, from get_me or list_orgs */
                    orgId: string;
                    name: string;
                    /** @description a colour name as blue, or # and six hexadecimal digits */
                    color?: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        name: string;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    delete_workspace: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspaceId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description the id of what was deleted */
                        deleted: string;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
    update_workspace: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                workspaceId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    name?: string;
                    color?: string;
                    icon?: {
                        /** @enum {string} */
                        kind: "emoji" | "lucide" | "image";
                        /** @description the emoji, the name of the lucide icon, or the https address of the image */
                        value: string;
                        /** @description a colour name, or # and six hexadecimal digits */
                        color?: string;
                    };
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                    };
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            409: components["responses"]["Problem409"];
            412: components["responses"]["Problem412"];
            413: components["responses"]["Problem413"];
            429: components["responses"]["Problem429"];
            500: components["responses"]["Problem500"];
            503: components["responses"]["Problem503"];
        };
    };
}
