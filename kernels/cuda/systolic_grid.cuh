// Geometry of a systolic grid: slots of the solutions that the cells of a row meet in an iteration. The reference is `systolic/grid.rs`.
#pragma once

#include "binary.cuh"

// Largest number of rows of a grid: τ of 65,536 bits.
#define MOST_ROWS 16

#define TORUS 0u
#define EXCHANGE 1u
#define VERTICAL 2u
#define BOTH 3u

// Slots of a row of cells: slot of the first column; slots from `limit` on wrap around by `length`.
struct Placed {
    u32 start, limit, length;
};

__device__ __forceinline__ u32 place(const Placed& placed, u32 column) {
    const u32 number = placed.start + column;
    return number >= placed.limit ? number - placed.length : number;
}

__device__ __forceinline__ int modulo(int a, int n) {
    const int r = a % n;
    return r < 0 ? r + n : r;
}

// Slots of row `row` of a population, rotated by `shift` columns.
__device__ __forceinline__ Placed ring(const Shape& shape, u32 population, int row, int shift) {
    const int l = (int)shape.bits, rows = (int)shape.rows;
    const u32 low = population * shape.bits * shape.rows + (u32)(modulo(row, rows) * l);
    return {low + (u32)modulo(shift, l), low + shape.bits, shape.bits};
}

// Slots of the horizontal (stream 0) or vertical (stream 1) solutions of a row of cells in an iteration.
__device__ __forceinline__ Placed placed(const Shape& shape, u32 iteration, u32 row, u32 stream) {
    const int l = (int)shape.bits, rows = (int)shape.rows, n = l * rows, i = (int)row;
    const int t = (int)(iteration % (u32)(2 * n * rows));
    if (shape.flavour == EXCHANGE) {
        const int phase = t / rows, r = t % rows, d = phase / 2 * rows;
        if (phase % 2 == 0) return stream == 0 ? ring(shape, 0, i, -r - d) : ring(shape, 1, i - r, -d);
        return stream == 0 ? ring(shape, 1, i + 1, -r - 1 - d) : ring(shape, 0, i - r - 1, -rows + 1 - d);
    }
    if (stream == 0) {
        if (shape.flavour == BOTH) return {(u32)modulo(i * l - t, n), (u32)n, (u32)n};
        return ring(shape, 0, i, -t);
    }
    if (shape.flavour == TORUS) return ring(shape, 1, i - t, 0);
    // ⌊(i − t)/τ⌋
    const int down = (i - t - modulo(i - t, rows)) / rows;
    return ring(shape, 1, i - t, down);
}
