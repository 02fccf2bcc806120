/* SPDX-License-Identifier: MIT */
/*
 * commit_wait.c - a log in PostgreSQL whose timestamps are in the order in which its writers acknowledged.
 *
 *	cc -pthread -o commit_wait commit_wait.c $(pkg-config --cflags --libs libhpt libpq)
 *	./commit_wait create CONNINFO
 *	./commit_wait write [-n] [-s SKEW_NS,ERROR_NS] CONNINFO NODE RECORDS
 *	./commit_wait check CONNINFO
 *
 * Many processes append to the log, each with a clock of its own. A writer takes a timestamp that is no earlier than
 * UTC, commits the record with its interval, and waits until UTC is surely later than the timestamp. Only then it
 * acknowledges. So a record that is begun after another one was acknowledged has the larger timestamp, whichever
 * process wrote it: the log is externally consistent. README.md has the proof. CONNINFO is as for psql: "dbname=test".
 *
 * "check" does not believe the timestamps. Writers also note by CLOCK_MONOTONIC, which all processes of a machine
 * share, when they began a record and when they acknowledged it. Exit 1 means that a record's timestamp is not larger
 * than that of one that was acknowledged before it began, or that their intervals exclude that order. Of "write" it
 * means that a record could not be acknowledged: the database or the bound was lost for too long. stderr says whether
 * it surely is not in the log; if it may be there, nobody knows the outcome before a writer has started again.
 *
 * To see the check fail: -n does not wait. -s is a node whose clock is off by SKEW_NS, and which claims ERROR_NS. Such
 * nodes count time by CLOCK_MONOTONIC_RAW, so that they agree on what is true. With |SKEW_NS| > ERROR_NS the claim is
 * false.
 */
#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <libpq-fe.h>

#include <hpt/hpt.h>
#include <hpt/wall.h>

#define SECOND_NS   INT64_C(1000000000)
#define UPDATE_NS   SECOND_NS           /* between two looks at the sources */
#define PATIENCE_NS (5 * SECOND_NS)     /* for a bound that is lost, or a timestamp to pass */
#define AGAIN_NS    (SECOND_NS / 100)   /* between two looks at a wall that is ready again */
#define RETRY_NS    (SECOND_NS / 5)     /* between two attempts at the database */
#define RETRIES     150
#define TRUTH_NS    (1700000000 * SECOND_NS) /* Unix time of CLOCK_MONOTONIC_RAW 0, for -s */

struct node {
	int64_t     number;
	int64_t     skew_ns, error_ns;  /* of -s; error_ns -1: the sources of this machine */
	int         waits;              /* not -n */
	hpt_wall   *wall;
	hpt_hlc    *hlc;
	hpt_waiter *pause;              /* of the thread that keeps the wall */
	PGconn     *db;
	long        retries;
	int64_t     waited_ns, width_ns; /* sums */
};

struct record {
	int64_t began_ns, acknowledged_ns; /* CLOCK_MONOTONIC */
	int64_t ts;
	struct hpt_wall_time interval;
};

static int failed(const char *what, const char *why)
{
	size_t size = strlen(why);

	/* libpq's messages end with the line. */
	while (size && why[size - 1] == '\n')
		size--;
	fprintf(stderr, "commit_wait: %s: %.*s\n", what, (int)size, why);
	return -1;
}

static int64_t clock_ns(clockid_t id)
{
	struct timespec t;

	clock_gettime(id, &t);
	return t.tv_sec * SECOND_NS + t.tv_nsec;
}

/* ---- The database ------------------------------------------------------------------------------------------- */

static const char create_tables[] =
	"SET client_min_messages = warning;"
	"CREATE TABLE IF NOT EXISTS log (ts bigint, node bigint, earliest bigint NOT NULL, latest bigint NOT NULL,"
	" body text NOT NULL, PRIMARY KEY (ts, node), CHECK (earliest <= latest));"
	/* Not part of a log: how it is judged. A record that was acknowledged must be there. */
	"CREATE TABLE IF NOT EXISTS witness (ts bigint, node bigint, began bigint NOT NULL,"
	" acknowledged bigint NOT NULL, PRIMARY KEY (ts, node), FOREIGN KEY (ts, node) REFERENCES log);";

/* A statement whose connection breaks may have been carried out, and runs again. The key makes that harmless. */
static const struct statement {
	const char *name, *sql;
	int params;
} statements[] = {
	{ "append", "INSERT INTO log VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING", 5 },
	{ "note", "INSERT INTO witness VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING", 4 },
	{ "largest", "SELECT max(ts) FROM log", 0 },
};
enum { APPEND, NOTE, LARGEST, STATEMENTS };

static int prepare(PGconn *db)
{
	for (int i = 0; i < STATEMENTS; i++) {
		PGresult *r = PQprepare(db, statements[i].name, statements[i].sql, 0, NULL);
		int is_good = PQresultStatus(r) == PGRES_COMMAND_OK;

		PQclear(r);
		if (!is_good)
			return -1;
	}
	return 0;
}

static int connect_db(const char *conninfo, PGconn **ret)
{
	PGconn *db = PQconnectdb(conninfo);

	if (PQstatus(db) == CONNECTION_OK) {
		*ret = db;
		return 0;
	}
	failed("database", PQerrorMessage(db));
	PQfinish(db);
	return -1;
}

/*
 * Why a statement failed. An error without SQLSTATE is libpq's own: if it could not send, its status may still be
 * good. Class 57P0: the server is going or coming. Class 40: another transaction was in the way.
 */
enum { STAYS, LOST, IN_THE_WAY };

static int why_failed(const PGconn *db, const PGresult *r)
{
	const char *state = PQresultErrorField(r, PG_DIAG_SQLSTATE);

	if (!state || PQstatus(db) != CONNECTION_OK || !strncmp(state, "57P0", 4))
		return LOST;
	return strncmp(state, "40", 2) ? STAYS : IN_THE_WAY;
}

/* Returns the result, or NULL after an error that stays or 30 s without a server. */
static PGresult *run(struct node *n, int which, const char *const *values, ExecStatusType expected)
{
	for (int i = 0; i < RETRIES; i++, n->retries++) {
		PGresult *r = PQexecPrepared(n->db, statements[which].name, statements[which].params, values, NULL,
					     NULL, 0);
		int why = why_failed(n->db, r);

		if (PQresultStatus(r) == expected)
			return r;
		PQclear(r);
		if (why == STAYS)
			break;
		hpt_sleep_ns(NULL, RETRY_NS);
		if (why == LOST)
			PQreset(n->db);
		if (why == LOST && PQstatus(n->db) == CONNECTION_OK)
			prepare(n->db);
	}
	failed(statements[which].name, PQerrorMessage(n->db));
	return NULL;
}

/* Runs a statement with four numbers, and perhaps a text. */
static int store(struct node *n, int which, const int64_t *numbers, const char *text)
{
	char digits[4][24];
	const char *values[5];
	PGresult *r;

	for (int i = 0; i < 4; i++) {
		snprintf(digits[i], sizeof(digits[i]), "%" PRId64, numbers[i]);
		values[i] = digits[i];
	}
	values[4] = text;
	r = run(n, which, values, PGRES_COMMAND_OK);
	PQclear(r);
	return r ? 0 : -1;
}

/* ---- The wall ----------------------------------------------------------------------------------------------- */

/* A clock that is off by skew_ns, and knows that it is off by error_ns at most. */
static int feed(const struct node *n)
{
	struct hpt_wall_sample sample;
	int64_t now_ns;

	memset(&sample, 0, sizeof(sample));
	sample.before = hpt_now(NULL);
	now_ns = TRUTH_NS + clock_ns(CLOCK_MONOTONIC_RAW) + n->skew_ns;
	sample.after = hpt_now(NULL);
	sample.earliest_ns = now_ns - n->error_ns;
	sample.latest_ns = now_ns + n->error_ns;
	return hpt_wall_feed(n->wall, &sample, sizeof(sample));
}

/* A thread that keeps the interval narrow: no wait of the library asks a source. Failures show in the wall's state. */
static void *keep_wall(void *arg)
{
	const struct node *n = (const struct node *)arg;

	do {
		if (n->error_ns < 0)
			hpt_wall_update(n->wall);
		else
			feed(n);
	} while (hpt_waiter_sleep_ns(n->pause, UPDATE_NS) >= 0);
	return NULL;
}

static int open_wall(struct node *n)
{
	struct hpt_wall_config config;
	int err;

	memset(&config, 0, sizeof(config));
	config.sources = n->error_ns < 0 ? 0 : HPT_WALL_SOURCE_FEED;
	err = hpt_wall_open(NULL, &config, sizeof(config), 0, &n->wall);
	/*
	 * A sample that makes the interval narrower leaves the latest timestamp ahead of it, and so may a floor. The
	 * timestamps go on from there if their waits are not too long.
	 */
	if (!err)
		err = hpt_hlc_new(n->wall, PATIENCE_NS, 0, &n->hlc);
	if (!err)
		err = hpt_waiter_new(NULL, 0, &n->pause);
	return err < 0 ? failed("wall", strerror(-err)) : 0;
}

static int without_bound(const struct node *n, int err)
{
	struct hpt_wall_info info;

	if (hpt_wall_get_info(n->wall, &info, sizeof(info)) < 0)
		info.state = HPT_WALL_STATE_NONE;
	fprintf(stderr, "commit_wait: no bound on UTC in time: %s; the wall's state is %s\n", strerror(-err),
		hpt_wall_state_name(info.state));
	return -1;
}

/* ---- Write -------------------------------------------------------------------------------------------------- */

/* Until UTC is past a timestamp. A bound that is lost meanwhile may come back. */
static int wait_until_past(struct node *n, int64_t ts)
{
	int64_t until_ns = hpt_now_ns(NULL) + PATIENCE_NS, left_ns = PATIENCE_NS;
	int err = -EAGAIN;

	while (err == -EAGAIN && left_ns > 0 && !hpt_wall_wait_ready(n->wall, 0, left_ns)) {
		err = hpt_wall_wait_after(n->wall, ts, left_ns);
		left_ns = until_ns - hpt_now_ns(NULL);
	}
	return err;
}

/*
 * Recovery. After a restart this node must give no timestamp that it has given before, which the log knows. The log's
 * largest one may be ahead of UTC by as much as its node's interval was wide, so UTC has to pass it: from then on all
 * records of the log are committed, also those that nobody acknowledged. Nor may the log be ahead of UTC for longer
 * than writers wait: then a node's bound was wrong, and this one must not carry on from there.
 */
static int recover(struct node *n)
{
	PGresult *r = run(n, LARGEST, NULL, PGRES_TUPLES_OK);
	int64_t floor_ns = 0;
	int err = 0;

	if (!r)
		return -1;
	if (!PQgetisnull(r, 0, 0))
		floor_ns = strtoll(PQgetvalue(r, 0, 0), NULL, 10);
	PQclear(r);
	if (floor_ns) {
		err = hpt_hlc_set_floor(n->hlc, floor_ns);
		if (!err)
			err = wait_until_past(n, floor_ns);
	}
	if (err == -ETIMEDOUT)
		return failed("the log has a timestamp of the future", "a node's bound was wrong");
	return err < 0 ? without_bound(n, err) : 0;
}

/* The interval is read first: UTC was in it at a moment before the timestamp was chosen. */
static int take_timestamp(struct node *n, struct record *rec)
{
	int64_t until_ns = hpt_now_ns(NULL) + PATIENCE_NS, left_ns;
	int err;

	for (;;) {
		err = hpt_wall_now(n->wall, &rec->interval);
		if (!err)
			err = hpt_hlc_now(n->hlc, &rec->ts);
		left_ns = until_ns - hpt_now_ns(NULL);
		if (err != -EAGAIN || left_ns <= 0)
			break;
		/* The bound is lost, or the floor is still PATIENCE_NS or more beyond it. */
		if (hpt_wall_wait_ready(n->wall, 0, left_ns) < 0)
			break;
		hpt_sleep_ns(NULL, AGAIN_NS);
	}
	return err < 0 ? without_bound(n, err) : 0;
}

static int commit_wait(struct node *n, int64_t ts)
{
	int64_t began_ns = hpt_now_ns(NULL);
	int err = wait_until_past(n, ts);

	n->waited_ns += hpt_now_ns(NULL) - began_ns;
	return err < 0 ? without_bound(n, err) : 0;
}

/*
 * Returns NULL for a record that is acknowledged, and else what to tell its client. A record that may be on disk is
 * never "not written", for whatever reason its writer gives up: nothing removes it, and readers will see it.
 */
static const char *append(struct node *n, long i)
{
	static const char unknown[] = "unknown; it may be in the log, which tells once a writer has started again";
	struct record rec;
	int64_t numbers[4];
	char body[48];

	rec.began_ns = clock_ns(CLOCK_MONOTONIC);
	if (take_timestamp(n, &rec))
		return "not written";
	numbers[0] = rec.ts;
	numbers[1] = n->number;
	numbers[2] = rec.interval.earliest_ns;
	numbers[3] = rec.interval.latest_ns;
	snprintf(body, sizeof(body), "record %ld", i);
	if (store(n, APPEND, numbers, body) || (n->waits && commit_wait(n, rec.ts)))
		return unknown;
	/* Here the record is acknowledged: its client may get the answer, and may begin another record anywhere. */
	rec.acknowledged_ns = clock_ns(CLOCK_MONOTONIC);
	n->width_ns += rec.interval.latest_ns - rec.interval.earliest_ns;
	numbers[2] = rec.began_ns;
	numbers[3] = rec.acknowledged_ns;
	return store(n, NOTE, numbers, NULL) ? "acknowledged, but not noted for the check" : NULL;
}

static int append_all(struct node *n, long records)
{
	long done = 0;
	int err = hpt_wall_wait_ready(n->wall, 0, PATIENCE_NS);

	err = err < 0 ? without_bound(n, err) : recover(n);
	while (!err && done < records) {
		const char *answer = append(n, done);

		if (answer) {
			fprintf(stderr, "commit_wait: record %ld: %s\n", done, answer);
			err = -1;
		} else {
			done++;
		}
	}
	printf("node %" PRId64 ": %ld records acknowledged, %ld retries", n->number, done, n->retries);
	if (done)
		printf("; intervals are %.3f ms wide and waits last %.3f ms, on average",
		       (double)n->width_ns / 1e6 / (double)done, (double)n->waited_ns / 1e6 / (double)done);
	printf("\n");
	return err;
}

static int write_log(struct node *n, const char *conninfo, long records)
{
	pthread_t keeper;
	int err = -1;

	if (connect_db(conninfo, &n->db))
		return -1;
	if (prepare(n->db)) {
		failed("database", PQerrorMessage(n->db));
	} else if (!open_wall(n)) {
		if (pthread_create(&keeper, NULL, keep_wall, n)) {
			failed("thread", "cannot be made");
		} else {
			err = append_all(n, records);
			hpt_waiter_interrupt(n->pause);
			pthread_join(keeper, NULL);
		}
	}
	hpt_waiter_free(n->pause);
	hpt_hlc_free(n->hlc);
	hpt_wall_close(n->wall);
	PQfinish(n->db);
	return err;
}

/* ---- Create and check --------------------------------------------------------------------------------------- */

static int create_log(PGconn *db)
{
	PGresult *r = PQexec(db, create_tables);
	int err = PQresultStatus(r) == PGRES_COMMAND_OK ? 0 : failed("create", PQerrorMessage(db));

	PQclear(r);
	return err;
}

/*
 * The beginnings and acknowledgements of all records in the order of the witness's clock; of simultaneous ones the
 * beginning is first. At each beginning: the largest timestamp and earliest of what was acknowledged before.
 */
static const char find_violations[] =
	"WITH judged AS (SELECT * FROM log NATURAL JOIN witness),"
	" events AS (SELECT began AS at, false AS is_ack, * FROM judged"
	" UNION ALL SELECT acknowledged, true, * FROM judged),"
	" ordered AS (SELECT *, max(ts) FILTER (WHERE is_ack) OVER w AS ts_before,"
	" max(earliest) FILTER (WHERE is_ack) OVER w AS earliest_before FROM events"
	" WINDOW w AS (ORDER BY at, is_ack ROWS UNBOUNDED PRECEDING))"
	"SELECT (SELECT count(*) FROM log), count(*), count(*) FILTER (WHERE ts <= ts_before),"
	" count(*) FILTER (WHERE latest < earliest_before) FROM ordered WHERE NOT is_ack";

static int check_log(PGconn *db)
{
	PGresult *r = PQexecParams(db, find_violations, 0, NULL, NULL, NULL, NULL, 0);
	int err = 0;

	if (PQresultStatus(r) != PGRES_TUPLES_OK) {
		err = failed("check", PQerrorMessage(db));
	} else {
		printf("%s records, %s acknowledged; %s out of order, %s with an interval that excludes the order\n",
		       PQgetvalue(r, 0, 0), PQgetvalue(r, 0, 1), PQgetvalue(r, 0, 2), PQgetvalue(r, 0, 3));
		if (strcmp(PQgetvalue(r, 0, 2), "0") || strcmp(PQgetvalue(r, 0, 3), "0"))
			err = -1;
	}
	PQclear(r);
	return err;
}

/* ---- Arguments ---------------------------------------------------------------------------------------------- */

static int usage(void)
{
	fprintf(stderr, "usage: commit_wait create CONNINFO\n"
			"       commit_wait write [-n] [-s SKEW_NS,ERROR_NS] CONNINFO NODE RECORDS\n"
			"       commit_wait check CONNINFO\n"
			"NODE is a number of this process alone, RECORDS one from 1 to 1000000000.\n"
			"SKEW_NS and ERROR_NS are less than a minute.\n");
	return 2;
}

/* 0, if the text is a whole number from least to most. */
static int number(const char *text, int64_t least, int64_t most, int64_t *ret)
{
	char *rest;

	errno = 0;
	*ret = strtoll(text, &rest, 10);
	return *text && !*rest && !errno && *ret >= least && *ret <= most ? 0 : -1;
}

static int read_skew(char *text, struct node *n)
{
	char *comma = strchr(text, ',');

	if (!comma)
		return -1;
	*comma = '\0';
	return number(text, -60 * SECOND_NS, 60 * SECOND_NS, &n->skew_ns) ||
	       number(comma + 1, 0, 60 * SECOND_NS, &n->error_ns) ? -1 : 0;
}

static int start_writing(int argc, char **argv)
{
	struct node n;
	int64_t records;
	int option;

	memset(&n, 0, sizeof(n));
	n.error_ns = -1;
	n.waits = 1;
	opterr = 0;
	while ((option = getopt(argc, argv, "+ns:")) != -1) {
		if (option == 'n')
			n.waits = 0;
		else if (option != 's' || read_skew(optarg, &n))
			return usage();
	}
	if (argc - optind != 3 || number(argv[optind + 1], 0, INT32_MAX, &n.number) ||
	    number(argv[optind + 2], 1, 1000000000, &records))
		return usage();
	return write_log(&n, argv[optind], (long)records) ? 1 : 0;
}

int main(int argc, char **argv)
{
	int to_create = argc == 3 && !strcmp(argv[1], "create"), err;
	PGconn *db;

	if (argc > 1 && !strcmp(argv[1], "write"))
		return start_writing(argc - 1, argv + 1);
	if (!to_create && (argc != 3 || strcmp(argv[1], "check")))
		return usage();
	if (connect_db(argv[2], &db))
		return 1;
	err = to_create ? create_log(db) : check_log(db);
	PQfinish(db);
	return err ? 1 : 0;
}
