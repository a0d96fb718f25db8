// Rooms of the sittings of a chain; most functions are called by the whole first warp.
#pragma once

#include "seating.cuh"

// Lowest cost of a room, with the seats that are free there and its number among the choices of the sitting.
struct Found {
    i64 cost;
    u32 room;
    bool is_found;
};

// Cost of a part of a sitting in a room, without the durations of others.
__device__ __forceinline__ i64 room_price(const Board& board, const Sitting& sitting, u32 room) {
    const i64 away = sitting.home != NO_ROOM && room != sitting.home ? board.settings.leaving_room : 0;
    return __ldg(&board.session.rooms[room].penalty) + away;
}

// Lowest penalty of the rooms of a sitting; 0 if it may use none.
__device__ __forceinline__ i64 least_penalty(const Board& board, const Sitting& sitting) {
    if (sitting.choices == 0) return 0;
    return __ldg(&board.session.rooms[__ldg(&board.session.choices[sitting.first_choice])].penalty);
}

__device__ __forceinline__ u32 cell_of(const Board& board, u32 period, u32 room) {
    return period * board.settings.rooms + room;
}

__device__ __forceinline__ u32 last_of(const Board& board, const Sitting& sitting, u32 cell) {
    return cell * board.settings.durations + sitting.duration;
}

// Changes the tables by one part of a sitting in a room, and returns the change of the cost. Several lanes may change a room at once.
__device__ __forceinline__ i64 enter(const Board& board, const Sitting& sitting, u32 period, u32 room, u32 students) {
    const u32 cell = cell_of(board, period, room), last = last_of(board, sitting, cell);
    Cell& state = board.cells[cell];
    atomicAdd(&state.used, students);
    atomicAdd(&state.count, 1u);
    if (sitting.own_room) atomicAdd(&state.own, 1u);
    i64 cost = room_price(board, sitting, room);
    if ((add_to_cell(board.lasts, last, 1) >> 16 * (last & 1) & 0xffffu) == 0) {
        cost += atomicAdd(&state.distinct, 1u) > 0 ? board.settings.mixed_durations : 0;
    }
    return cost;
}

__device__ __forceinline__ i64 leave(const Board& board, const Sitting& sitting, u32 period, u32 room, u32 students) {
    const u32 cell = cell_of(board, period, room), last = last_of(board, sitting, cell);
    Cell& state = board.cells[cell];
    atomicAdd(&state.used, 0u - students);
    atomicAdd(&state.count, ~0u);
    if (sitting.own_room) atomicAdd(&state.own, ~0u);
    i64 cost = -room_price(board, sitting, room);
    if ((add_to_cell(board.lasts, last, ~0u) >> 16 * (last & 1) & 0xffffu) == 1) {
        cost -= atomicAdd(&state.distinct, ~0u) > 1 ? board.settings.mixed_durations : 0;
    }
    return cost;
}

// Change of the cost if a part of a sitting left a room.
__device__ __forceinline__ i64 part_leaving(const Board& board, const Sitting& sitting, u32 period, u32 room) {
    const u32 cell = cell_of(board, period, room);
    const bool is_mixed = board.lasts[last_of(board, sitting, cell)] == 1 && board.cells[cell].distinct > 1;
    return -room_price(board, sitting, room) - (is_mixed ? board.settings.mixed_durations : 0);
}

// Upper bound on what a sitting saves if it leaves its rooms, whatever else changes there.
__device__ __forceinline__ i64 most_saved(const Board& board, u32 number, const Sitting& sitting) {
    const u32 room = board.room[number];
    if (room < SPLIT) return room_price(board, sitting, room) + board.settings.mixed_durations;
    i64 sum = 0;
    for (u32 at = 0; room == SPLIT && at < sitting.most_rooms; ++at) {
        const Part part = board.parts[sitting.first_part + at];
        if (part.students == 0) break;
        sum += room_price(board, sitting, part.room) + board.settings.mixed_durations + board.settings.part;
    }
    return sum;
}

// Lower bound on the change of the cost if a sitting left its rooms; exact for a single room.
__device__ __forceinline__ i64 leaving(const Board& board, u32 number, const Sitting& sitting, u32 period) {
    const u32 room = board.room[number];
    if (room < SPLIT) return part_leaving(board, sitting, period, room);
    return -most_saved(board, number, sitting);
}

// Change of the cost if a sitting left its rooms.
__device__ __forceinline__ i64 exactly_leaving(const Board& board, u32 number, const Sitting& sitting, u32 period) {
    const u32 room = board.room[number];
    if (room < SPLIT) return part_leaving(board, sitting, period, room);
    i64 sum = board.settings.part;
    for (u32 at = 0; at < sitting.most_rooms; ++at) {
        const Part part = board.parts[sitting.first_part + at];
        if (part.students == 0) break;
        sum += part_leaving(board, sitting, period, part.room) - board.settings.part;
    }
    return sum;
}

// Returns true if the sitting has a part in `room`.
__device__ __forceinline__ bool is_in(const Board& board, u32 number, u32 room) {
    if (board.room[number] != SPLIT) return board.room[number] == room;
    const Sitting& sitting = board.session.sittings[number];
    for (u32 at = 0; at < sitting.most_rooms; ++at) {
        const Part part = board.parts[sitting.first_part + at];
        if (part.students == 0) break;
        if (part.room == room) return true;
    }
    return false;
}

// Sitting that counts as if it had left its room.
struct Absent {
    u32 room, students, own_room, duration;
};

#define NOBODY (Absent{NO_ROOM, 0, 0, 0})

// A sitting in one room, to be left out.
__device__ __forceinline__ Absent absent(const Board& board, u32 number, const Sitting& sitting) {
    return {board.room[number], sitting.students, sitting.own_room, sitting.duration};
}

// State of a room without the absent sitting, and the number of other sittings of a class of durations there.
__device__ __forceinline__ Cell state_without(
    const Board& board, u32 cell, u32 room, const Absent& absent, u32 duration, u32& same) {
    Cell state = board.cells[cell];
    const u32 lasts = cell * board.settings.durations;
    same = board.lasts[lasts + duration];
    if (room != absent.room) return state;
    state.used -= absent.students;
    state.count -= 1;
    state.own -= absent.own_room;
    if (board.lasts[lasts + absent.duration] == 1) state.distinct -= 1;
    if (duration == absent.duration) same -= 1;
    return state;
}

// Returns false if a rule keeps a sitting out of a room; otherwise `seats` is the number of free ones.
__device__ __forceinline__ bool admits(
    const Board& board, const Sitting& sitting, u32 period, u32 room, const Absent& absent, u32& seats) {
    const Session& session = board.session;
    const u32 number = cell_of(board, period, room), capacity = __ldg(&session.capacity[number]);
    u32 same;
    const Cell cell = state_without(board, number, room, absent, sitting.duration, same);
    if (capacity >> 31) return false;
    if (cell.count > 0 && (cell.own > 0 || sitting.own_room || __ldg(&session.rooms[room].single))) return false;
    for (u32 at = 0; at < sitting.related; ++at) {
        const u32 related = __ldg(&session.room_related[sitting.first_related + at]), other = related & 0xffffu;
        if (board.room[other] != NO_ROOM && is_in(board, other, room) != (related >> 16 != 0)) return false;
    }
    seats = capacity > cell.used ? capacity - cell.used : 0;
    return true;
}

// Cost of a part of a sitting in a room of `period`.
__device__ __forceinline__ i64 cost_in(const Board& board, const Sitting& sitting, u32 period, u32 room, const Absent& absent) {
    u32 same;
    const Cell state = state_without(board, cell_of(board, period, room), room, absent, sitting.duration, same);
    const bool is_mixed = state.distinct > 0 && same == 0;
    return room_price(board, sitting, room) + (is_mixed ? board.settings.mixed_durations : 0);
}

// Finds the cheapest room of `period` that holds a sitting without rooms; of equal ones the one with the fewest seats left.
__device__ __forceinline__ Found find(const Board& board, const Sitting& sitting, u32 period, u32 lane, const Absent& absent) {
    // Costs are below 2³¹.
    u32 cost = ~0u, left = ~0u, choice = ~0u;
    for (u32 at = lane; at < sitting.choices; at += 32) {
        const u32 room = __ldg(&board.session.choices[sitting.first_choice + at]);
        u32 seats = 0;
        if (!admits(board, sitting, period, room, absent, seats) || seats < sitting.students) continue;
        const u32 own = (u32)cost_in(board, sitting, period, room, absent);
        if (own < cost || (own == cost && seats < left)) {
            cost = own;
            left = seats;
            choice = at;
        }
    }
    const u32 least = group_minimum<32>(cost);
    if (least == ~0u) return {0, NO_ROOM, false};
    const u32 fewest = group_minimum<32>(cost == least ? left : ~0u);
    const u32 chosen = group_minimum<32>(cost == least && left == fewest ? choice : ~0u);
    return {(i64)least, __ldg(&board.session.choices[sitting.first_choice + chosen]), true};
}

// Takes a sitting out of its rooms in `period`, with one lane; returns the change of the cost.
__device__ __forceinline__ i64 release(const Board& board, u32 number, const Sitting& sitting, u32 period) {
    const u32 room = board.room[number];
    if (room == NO_ROOM) return 0;
    board.room[number] = NO_ROOM;
    if (room != SPLIT) return leave(board, sitting, period, room, sitting.students);
    i64 cost = board.settings.part;
    for (u32 at = 0; at < sitting.most_rooms; ++at) {
        const Part part = board.parts[sitting.first_part + at];
        if (part.students == 0) break;
        cost += leave(board, sitting, period, part.room, part.students) - board.settings.part;
    }
    return cost;
}

// Puts a sitting without rooms into one room, with one lane; returns the change of the cost.
__device__ __forceinline__ i64 occupy(const Board& board, u32 number, const Sitting& sitting, u32 period, u32 room) {
    board.room[number] = (u16)room;
    return enter(board, sitting, period, room, sitting.students);
}

// Splits a sitting without rooms over the fewest rooms of `period`: the emptiest rooms first, the last part in the fullest room that holds it.
// Returns false, and changes nothing, if splitting is not allowed or does not help. Every lane gets the change of the cost.
__device__ __forceinline__ bool split(const Board& board, u32 number, const Sitting& sitting, u32 period, u32 lane, i64& cost) {
    if (sitting.most_rooms < 2) return false;
    Part* const parts = board.parts + sitting.first_part;
    u32 left = sitting.students, count = 0;
    while (left > 0 && count < sitting.most_rooms) {
        // Of the rooms that hold what is left the one with the fewest seats and the highest number; of all the one with the most seats and the
        // lowest number.
        u64 last = ~0ull, first = ~0ull;
        for (u32 at = lane; at < sitting.choices; at += 32) {
            const u32 room = __ldg(&board.session.choices[sitting.first_choice + at]);
            u32 seats = 0;
            if (!admits(board, sitting, period, room, NOBODY, seats) || seats == 0) continue;
            bool is_taken = false;
            for (u32 part = 0; part < count; ++part) is_taken = is_taken || parts[part].room == room;
            if (is_taken) continue;
            if (seats >= left) last = min(last, (u64)seats << 32 | (u32)~room);
            first = min(first, (u64)~seats << 32 | room);
        }
        last = group_minimum<32>(last);
        first = group_minimum<32>(first);
        if (first == ~0ull) break;
        const bool ends = last != ~0ull;
        const u32 room = ends ? ~(u32)last : (u32)first, seats = ends ? left : ~(u32)(first >> 32);
        __syncwarp();
        if (lane == 0) parts[count] = {room, seats};
        __syncwarp();
        left -= seats;
        ++count;
    }
    if (left > 0 || count == 0) return false;
    i64 own = 0;
    if (lane == 0) {
        if (count < sitting.most_rooms) parts[count] = {0, 0};
        board.room[number] = SPLIT;
        for (u32 at = 0; at < count; ++at) own += enter(board, sitting, period, parts[at].room, parts[at].students);
        own += board.settings.part * ((i64)count - 1);
    }
    cost = __shfl_sync(FULL_WARP, own, 0);
    __syncwarp();
    return true;
}

// Finds rooms for a sitting without rooms and puts it there, with the first warp; returns false if there is no place.
__device__ __forceinline__ bool seat(const Board& board, u32 number, u32 period, u32 lane, i64& cost) {
    const Sitting& sitting = board.session.sittings[number];
    const Found found = find(board, sitting, period, lane, NOBODY);
    if (!found.is_found) return split(board, number, sitting, period, lane, cost);
    if (lane == 0) occupy(board, number, sitting, period, found.room);
    __syncwarp();
    cost = found.cost;
    return true;
}

// Takes the first `count` sittings of the list out of their rooms and seats them in the other one of the periods a and b, in order, with the first
// warp. Returns false, and changes nothing, if one finds no room or the change of the cost is above `limit`.
__device__ __forceinline__ bool seat_all(const Board& board, u32 count, u32 a, u32 b, i64 limit, u32 lane, i64& delta) {
    const Session& session = board.session;
    i64 sum = 0;
    for (u32 first = 0; first < count; first += 32) {
        i64 cost = 0;
        if (first + lane < count) {
            const u32 number = board.list[first + lane];
            const Sitting& sitting = session.sittings[number];
            board.saved[first + lane] = board.room[number];
            for (u32 at = 0; board.room[number] == SPLIT && at < sitting.most_rooms; ++at) {
                board.saved_parts[sitting.first_part + at] = board.parts[sitting.first_part + at];
            }
            cost = release(board, number, sitting, board.place[sitting.node]);
        }
        sum += group_sum<32>(cost);
    }
    __syncwarp();
    u32 seated = 0;
    for (; seated < count && sum <= limit; ++seated) {
        const u32 number = board.list[seated], to = a + b - board.place[session.sittings[number].node];
        i64 cost = 0;
        if (!seat(board, number, to, lane, cost)) break;
        sum += cost;
    }
    delta = sum;
    if (seated == count && sum <= limit) return true;
    for (u32 first = lane; first < seated; first += 32) {
        const u32 number = board.list[first];
        const Sitting& sitting = session.sittings[number];
        release(board, number, sitting, a + b - board.place[sitting.node]);
    }
    __syncwarp();
    for (u32 first = lane; first < count; first += 32) {
        const u32 number = board.list[first], room = board.saved[first];
        const Sitting& sitting = session.sittings[number];
        const u32 from = board.place[sitting.node];
        if (room == SPLIT) {
            board.room[number] = SPLIT;
            for (u32 at = 0; at < sitting.most_rooms; ++at) {
                const Part part = board.saved_parts[sitting.first_part + at];
                board.parts[sitting.first_part + at] = part;
                if (part.students == 0) break;
                enter(board, sitting, from, part.room, part.students);
            }
        } else if (room != NO_ROOM) {
            occupy(board, number, sitting, from, room);
        }
    }
    __syncwarp();
    return false;
}
