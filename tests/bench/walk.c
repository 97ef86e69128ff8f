/* The walk of minis/sight/field_walk.py again, in C, for points that stand in, on and against nothing; and the bare test
   of edges, which no walk can do without. Built and run by tests/bench/field.py. */

#include <math.h>
#include <stdint.h>

typedef struct {
    double cell, west, south, eps;
    int64_t columns;
    const int64_t *start, *gobst, *group;
    const double *gx0, *gy0, *gx1, *gy1, *gtop, *high;
    int64_t groups, levels, sizes;
    const double *length, *near_top, *far_top, *longest;
} Board;

typedef struct {
    const double *x, *y;
    const int16_t *level;
    const int8_t *roof, *size;
    const int32_t *from, *own;
} Ends;

static int is_own(const Ends *ends, int64_t i, int64_t o) {
    for (int64_t k = ends->from[i]; k < ends->from[i + 1]; k++)
        if (ends->own[k] == o) return 1;
    return 0;
}

void walk_all(const Board *m, const Ends *a, const int64_t *ia, const Ends *b, const int64_t *jb, int32_t *found,
              int64_t lines) {
    double inverse = 1.0 / m->cell;
    for (int64_t n = 0; n < lines; n++) {
        int64_t i = ia[n], j = jb[n], which;
        double ax = a->x[i], ay = a->y[i], bx = b->x[j], by = b->y[j];
        int64_t upper = a->level[i], lower = b->level[j];
        if (upper >= lower) {
            which = ((a->roof[i] * m->levels + upper) * m->levels + lower) * m->sizes + b->size[j];
        } else {
            which = ((b->roof[j] * m->levels + lower) * m->levels + upper) * m->sizes + a->size[i];
            double x = ax, y = ay;
            ax = bx; ay = by; bx = x; by = y;
        }
        double dx = ax - bx, dy = ay - by, long2 = dx * dx + dy * dy;
        int32_t hider = -1;
        if (long2 > 0) {
            double least = m->near_top[which], along = sqrt(long2), base = dx * by - dy * bx;
            const double *reaches = m->length + which * m->groups;
            int64_t column = (int64_t)((bx - m->west) * inverse), row = (int64_t)((by - m->south) * inverse);
            int64_t left_x = (int64_t)((ax - m->west) * inverse) - column;
            int64_t left_y = (int64_t)((ay - m->south) * inverse) - row;
            int64_t step_x = 1, step_y = m->columns;
            double next_x = INFINITY, next_y = INFINITY, per_x = INFINITY, per_y = INFINITY;
            if (dx > 0) {
                per_x = m->cell * (along / dx);
                next_x = (m->west + (column + 1) * m->cell - bx) * (along / dx);
            } else if (dx < 0) {
                step_x = -1; left_x = -left_x;
                per_x = m->cell * (along / -dx);
                next_x = (bx - m->west - column * m->cell) * (along / -dx);
            }
            if (dy > 0) {
                per_y = m->cell * (along / dy);
                next_y = (m->south + (row + 1) * m->cell - by) * (along / dy);
            } else if (dy < 0) {
                step_y = -m->columns; left_y = -left_y;
                per_y = m->cell * (along / -dy);
                next_y = (by - m->south - row * m->cell) * (along / -dy);
            }
            if (left_x <= 0) next_x = INFINITY;
            if (left_y <= 0) next_y = INFINITY;
            double turn_far = m->longest[which] + m->eps + 1.0;
            int64_t cell = row * m->columns + column, steps = left_x + left_y + 1;
            for (int64_t step = 0; step < steps; step++) {
                if (m->high[cell] >= least) {
                    for (int64_t e = m->start[cell]; e < m->start[cell + 1]; e++) {
                        if (m->gtop[e] < least) break;
                        double sp = dx * m->gy0[e] - dy * m->gx0[e] - base;
                        double sq = dx * m->gy1[e] - dy * m->gx1[e] - base;
                        if (sp * sq > 0) continue;
                        double px = m->gx0[e] - bx, py = m->gy0[e] - by, qx = m->gx1[e] - bx, qy = m->gy1[e] - by, up;
                        if (sp == 0 && sq == 0) {
                            double uq = (dx * qx + dy * qy) / long2;
                            up = (dx * px + dy * py) / long2;
                            if (!(0.0 < up && up < 1.0) || (0.0 < uq && uq < up)) up = uq;
                        } else {
                            up = (px * qy - py * qx) / (sq - sp);
                        }
                        if (!(0.0 < up && up < 1.0)) continue;
                        int64_t o = m->gobst[e];
                        double reach = reaches[m->group[o]];
                        if (reach >= 0 && up * along <= reach + m->eps && !is_own(a, i, o) && !is_own(b, j, o)) {
                            hider = (int32_t)o;
                            break;
                        }
                    }
                    if (hider >= 0) break;
                }
                double walked;
                if (next_x < next_y) {
                    walked = next_x; cell += step_x; left_x--;
                    next_x = left_x > 0 ? next_x + per_x : INFINITY;
                } else {
                    walked = next_y; cell += step_y; left_y--;
                    next_y = left_y > 0 ? next_y + per_y : INFINITY;
                }
                if (walked > turn_far) {
                    least = m->far_top[which];
                    if (least == INFINITY) break;
                }
            }
        }
        found[n] = hider;
    }
}

/* How many of some edges one line meets, `times` times over: the test and nothing else. */
int64_t raw_edges(const Board *m, int64_t edges, double ax, double ay, double bx, double by, int64_t times) {
    int64_t met = 0;
    for (int64_t t = 0; t < times; t++) {
        double dx = ax + t - bx, dy = ay - by, base = dx * by - dy * bx;
        for (int64_t e = 0; e < edges; e++) {
            double sp = dx * m->gy0[e] - dy * m->gx0[e] - base;
            double sq = dx * m->gy1[e] - dy * m->gx1[e] - base;
            met += sp * sq <= 0;
        }
    }
    return met;
}
