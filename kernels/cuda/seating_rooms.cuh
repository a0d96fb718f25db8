// Rooms of the sittings of a chain; most functions are called by the whole first warp.
#pragma once

#include "seating.cuh"

// Lowest cost of a room, with the seats that are free there and its number among the choices of the sitting.
struct Found {
    i64 cost;
    u32 room;
    bool is_found;
};

// Cost of a part of sitting `number` in a room, without the durations of others.
__device__ __forceinline__ i64 room_price(const Board& board, u32 number, const Sitting& sitting, u32 room) {
    const bool is_away = sitting.has(HAS_HOME) && room != __ldg(&board.session.details[number].home);
    return (int)board.penalties[room] + (is_away ? board.settings.leaving_room : 0);
}

// Lowest penalty of the rooms of a sitting; 0 if it may use none.
__device__ __forceinline__ i64 least_penalty(const Board& board, const Sitting& sitting) {
    if (sitting.choices == 0) return 0;
    return (int)board.penalties[choice(board, sitting, 0)];
}

__device__ __forceinline__ u32 cell_of(const Board& board, u32 period, u32 room) {
    return period * board.settings.rooms + room;
}

__device__ __forceinline__ u32 last_of(const Board& board, const Sitting& sitting, u32 cell) {
    return cell * board.settings.durations + sitting.duration();
}

// The sitting in `Cell::count`.
__device__ __forceinline__ u32 counted(const Sitting& sitting) {
    return sitting.has(OWN_ROOM) ? OWN_SITTING : ONE_SITTING;
}

// Cost of a duration in a room and period beside `others` different ones.
__device__ __forceinline__ i64 duration_cost(const Board& board, u32 others) {
    return others == 0 ? board.settings.opened : board.settings.mixed_durations;
}

// Highest cost of a duration in a room and period.
__device__ __forceinline__ i64 dearest_duration(const Board& board) {
    return max(board.settings.opened, board.settings.mixed_durations);
}

// Changes the tables by one part of a sitting that enters a room or leaves it; several lanes may change a room at once. Returns what the class of
// durations of the sitting costs there, if the sitting is the only one of its class.
__device__ __forceinline__ i64 put(const Board& board, const Sitting& sitting, u32 period, u32 room, u32 students, bool enters) {
    const u32 cell = cell_of(board, period, room), last = last_of(board, sitting, cell), sign = enters ? 1u : ~0u;
    Cell& state = board.cells[cell];
    atomicAdd(&state.used, sign * students);
    atomicAdd(&state.count, sign * counted(sitting));
    const u32 least = enters ? 0 : 1;
    if ((add_to_cell(board.lasts, last, sign) >> 16 * (last & 1) & 0xffffu) != least) return 0;
    return duration_cost(board, atomicAdd(&state.distinct, sign) - least);
}

// Puts one part of sitting `number` into a room, and returns the change of the cost.
__device__ __forceinline__ i64 enter(const Board& board, u32 number, const Sitting& sitting, u32 period, u32 room, u32 students) {
    return room_price(board, number, sitting, room) + put(board, sitting, period, room, students, true);
}

// Takes one part of sitting `number` out of a room, and returns the change of the cost.
__device__ __forceinline__ i64 leave(const Board& board, u32 number, const Sitting& sitting, u32 period, u32 room, u32 students) {
    return -room_price(board, number, sitting, room) - put(board, sitting, period, room, students, false);
}

// Change of the cost if a part of a sitting left a room.
__device__ __forceinline__ i64 part_leaving(const Board& board, u32 number, const Sitting& sitting, u32 period, u32 room) {
    const u32 cell = cell_of(board, period, room);
    const bool is_last = board.lasts[last_of(board, sitting, cell)] == 1;
    return -room_price(board, number, sitting, room) - (is_last ? duration_cost(board, board.cells[cell].distinct - 1) : 0);
}

// Calls `use(part)` for the parts of a split sitting.
template <typename Use>
__device__ __forceinline__ void each_part(const Board& board, u32 number, const Use& use) {
    const Details& details = board.session.details[number];
    for (u32 at = 0; at < details.most_rooms; ++at) {
        const Part part = board.parts[details.first_part + at];
        if (part.students == 0) break;
        use(part);
    }
}

// Upper bound on what a sitting saves if it leaves its rooms, whatever else changes there.
__device__ __forceinline__ i64 most_saved(const Board& board, u32 number, const Sitting& sitting) {
    const u32 room = board.room[number];
    if (room < SPLIT) return room_price(board, number, sitting, room) + dearest_duration(board);
    i64 sum = 0;
    if (room == SPLIT) {
        each_part(board, number, [&](const Part& part) {
            sum += room_price(board, number, sitting, part.room) + dearest_duration(board) + board.settings.part;
        });
    }
    return sum;
}

// Lower bound on the change of the cost if a sitting left its rooms; exact for a single room.
__device__ __forceinline__ i64 leaving(const Board& board, u32 number, const Sitting& sitting, u32 period) {
    const u32 room = board.room[number];
    if (room < SPLIT) return part_leaving(board, number, sitting, period, room);
    return -most_saved(board, number, sitting);
}

// Change of the cost if a sitting left its rooms.
__device__ __forceinline__ i64 exactly_leaving(const Board& board, u32 number, const Sitting& sitting, u32 period) {
    const u32 room = board.room[number];
    if (room < SPLIT) return part_leaving(board, number, sitting, period, room);
    i64 sum = board.settings.part;
    each_part(board, number, [&](const Part& part) {
        sum += part_leaving(board, number, sitting, period, part.room) - board.settings.part;
    });
    return sum;
}

// Returns true if the sitting has a part in `room`.
__device__ __forceinline__ bool is_in(const Board& board, u32 number, u32 room) {
    if (board.room[number] != SPLIT) return board.room[number] == room;
    bool is_there = false;
    each_part(board, number, [&](const Part& part) { is_there = is_there || part.room == room; });
    return is_there;
}

// Sitting that counts as if it had left its room.
struct Absent {
    u32 room, students, count, duration;
};

#define NOBODY (Absent{NO_ROOM, 0, 0, 0})

// A sitting in one room, to be left out.
__device__ __forceinline__ Absent absent(const Board& board, u32 number, const Sitting& sitting) {
    return {board.room[number], sitting.students(), counted(sitting), sitting.duration()};
}

// State of a room without the absent sitting, and the number of other sittings of a class of durations there.
__device__ __forceinline__ Cell state_without(
    const Board& board, u32 cell, u32 room, const Absent& absent, u32 duration, u32& same) {
    Cell state = board.cells[cell];
    const u32 lasts = cell * board.settings.durations;
    same = board.lasts[lasts + duration];
    if (room != absent.room) return state;
    state.used -= absent.students;
    state.count -= absent.count;
    if (board.lasts[lasts + absent.duration] == 1) state.distinct -= 1;
    if (duration == absent.duration) same -= 1;
    return state;
}

// Returns false if a rule keeps sitting `number` out of a room; otherwise `seats` is the number of free ones.
__device__ __forceinline__ bool admits(
    const Board& board, u32 number, const Sitting& sitting, u32 period, u32 room, const Absent& absent, u32& seats) {
    const Session& session = board.session;
    u32 same;
    const Cell cell = state_without(board, cell_of(board, period, room), room, absent, sitting.duration(), same);
    if (cell.capacity & CLOSED) return false;
    const bool holds_one = cell.count >= OWN_SITTING || sitting.has(OWN_ROOM) || (cell.capacity & SINGLE) != 0;
    // Sittings of other exams, where they matter.
    u32 others = holds_one ? cell.count & 0xffffu : 0;
    if (sitting.has(TIED_ROOM)) {
        const Details& details = session.details[number];
        for (u32 at = 0; at < details.related; ++at) {
            const u32 related = __ldg(&session.room_related[details.first_related + at]), other = related & 0xffffu, tie = related >> 16;
            if (board.room[other] == NO_ROOM) continue;
            const bool is_there = is_in(board, other, room);
            if (tie == OF_ONE_EXAM) {
                others -= holds_one && is_there ? 1 : 0;
            } else if (is_there != (tie == TOGETHER)) {
                return false;
            }
        }
    }
    if (others > 0) return false;
    const u32 capacity = cell.capacity & SEATS;
    seats = capacity > cell.used ? capacity - cell.used : 0;
    return true;
}

// Cost of a part of sitting `number` in a room of `period`.
__device__ __forceinline__ i64 cost_in(
    const Board& board, u32 number, const Sitting& sitting, u32 period, u32 room, const Absent& absent) {
    u32 same;
    const Cell state = state_without(board, cell_of(board, period, room), room, absent, sitting.duration(), same);
    return room_price(board, number, sitting, room) + (same == 0 ? duration_cost(board, state.distinct) : 0);
}

// Finds the cheapest room of `period` that holds sitting `number`, which has no rooms; of equal ones the one with the fewest seats left.
__device__ __forceinline__ Found find(
    const Board& board, u32 number, const Sitting& sitting, u32 period, u32 lane, const Absent& absent) {
    // Costs are below 2³¹.
    u32 cost = ~0u, left = ~0u, least_choice = ~0u;
    for (u32 at = lane; at < sitting.choices; at += 32) {
        const u32 room = choice(board, sitting, at);
        u32 seats = 0;
        if (!admits(board, number, sitting, period, room, absent, seats) || seats < sitting.students()) continue;
        const u32 own = (u32)cost_in(board, number, sitting, period, room, absent);
        if (own < cost || (own == cost && seats < left)) {
            cost = own;
            left = seats;
            least_choice = at;
        }
    }
    const u32 least = group_minimum<32>(cost);
    if (least == ~0u) return {0, NO_ROOM, false};
    const u32 fewest = group_minimum<32>(cost == least ? left : ~0u);
    const u32 chosen = group_minimum<32>(cost == least && left == fewest ? least_choice : ~0u);
    return {(i64)least, choice(board, sitting, chosen), true};
}

// Takes a sitting out of its rooms in `period`, with one lane; returns the change of the cost.
__device__ __forceinline__ i64 release(const Board& board, u32 number, const Sitting& sitting, u32 period) {
    const u32 room = board.room[number];
    if (room == NO_ROOM) return 0;
    board.room[number] = NO_ROOM;
    if (room != SPLIT) return leave(board, number, sitting, period, room, sitting.students());
    i64 cost = board.settings.part;
    each_part(board, number, [&](const Part& part) {
        cost += leave(board, number, sitting, period, part.room, part.students) - board.settings.part;
    });
    return cost;
}

// Puts a sitting without rooms into one room, with one lane; returns the change of the cost.
__device__ __forceinline__ i64 occupy(const Board& board, u32 number, const Sitting& sitting, u32 period, u32 room) {
    board.room[number] = (u16)room;
    return enter(board, number, sitting, period, room, sitting.students());
}

// Splits a sitting without rooms over the fewest rooms of `period`: the emptiest rooms first, the last part in the fullest room that holds it.
// Returns false, and changes nothing, if splitting is not allowed or does not help. Every lane gets the change of the cost.
__device__ __forceinline__ bool split(const Board& board, u32 number, const Sitting& sitting, u32 period, u32 lane, i64& cost) {
    if (!sitting.has(MAY_SPLIT)) return false;
    const u32 most_rooms = board.session.details[number].most_rooms;
    Part* const parts = board.parts + board.session.details[number].first_part;
    u32 left = sitting.students(), count = 0;
    while (left > 0 && count < most_rooms) {
        // Of the rooms that hold what is left the one with the fewest seats and the highest number; of all the one with the most seats and the
        // lowest number.
        u64 last = ~0ull, first = ~0ull;
        for (u32 at = lane; at < sitting.choices; at += 32) {
            const u32 room = choice(board, sitting, at);
            u32 seats = 0;
            if (!admits(board, number, sitting, period, room, NOBODY, seats) || seats == 0) continue;
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
        if (count < most_rooms) parts[count] = {0, 0};
        board.room[number] = SPLIT;
        for (u32 at = 0; at < count; ++at) own += enter(board, number, sitting, period, parts[at].room, parts[at].students);
        own += board.settings.part * ((i64)count - 1);
    }
    cost = __shfl_sync(FULL_WARP, own, 0);
    __syncwarp();
    return true;
}

// Finds rooms for a sitting without rooms and puts it there, with the first warp; returns false if there is no place.
__device__ __forceinline__ bool seat(const Board& board, u32 number, u32 period, u32 lane, i64& cost) {
    const Sitting sitting = board.sittings[number];
    const Found found = find(board, number, sitting, period, lane, NOBODY);
    if (!found.is_found) return split(board, number, sitting, period, lane, cost);
    if (lane == 0) occupy(board, number, sitting, period, found.room);
    __syncwarp();
    cost = found.cost;
    return true;
}

// Takes the first `count` sittings of the list out of their rooms and seats them in the other one of the periods a and b, in order, with the first
// warp. Returns false, and changes nothing, if one finds no room or the change of the cost is above `limit`.
__device__ __forceinline__ bool seat_all(const Board& board, u32 count, u32 a, u32 b, i64 limit, u32 lane, i64& delta) {
    i64 sum = 0;
    for (u32 first = 0; first < count; first += 32) {
        i64 cost = 0;
        if (first + lane < count) {
            const u32 number = board.list[first + lane];
            board.saved[first + lane] = board.room[number];
            if (board.room[number] == SPLIT) {
                const Details& details = board.session.details[number];
                for (u32 at = details.first_part; at < details.first_part + details.most_rooms; ++at) {
                    board.saved_parts[at] = board.parts[at];
                }
            }
            cost = release(board, number, board.sittings[number], board.place[node_of(board, number)]);
        }
        sum += sum_of_warp(board, cost);
    }
    __syncwarp();
    u32 seated = 0;
    for (; seated < count && sum <= limit; ++seated) {
        const u32 number = board.list[seated], to = a + b - board.place[node_of(board, number)];
        i64 cost = 0;
        if (!seat(board, number, to, lane, cost)) break;
        sum += cost;
    }
    delta = sum;
    if (seated == count && sum <= limit) return true;
    for (u32 first = lane; first < seated; first += 32) {
        const u32 number = board.list[first];
        release(board, number, board.sittings[number], a + b - board.place[node_of(board, number)]);
    }
    __syncwarp();
    for (u32 first = lane; first < count; first += 32) {
        const u32 number = board.list[first], room = board.saved[first];
        const Sitting sitting = board.sittings[number];
        const u32 from = board.place[node_of(board, number)];
        if (room == SPLIT) {
            board.room[number] = SPLIT;
            const Details& details = board.session.details[number];
            for (u32 at = details.first_part; at < details.first_part + details.most_rooms; ++at) {
                const Part part = board.saved_parts[at];
                board.parts[at] = part;
                if (part.students == 0) break;
                enter(board, number, sitting, from, part.room, part.students);
            }
        } else if (room != NO_ROOM) {
            occupy(board, number, sitting, from, room);
        }
    }
    __syncwarp();
    return false;
}
