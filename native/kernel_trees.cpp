#include "kernel_trees.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>

namespace adjudge {

// Works on one tree after the other and keeps its scratch space.
class KernelTrees::Builder {
  public:
    explicit Builder(KernelTrees& trees) : trees_(trees) {}

    void add(const std::int32_t* groups, const std::int32_t* similar, const std::int32_t* parents,
             std::size_t size) {
        count_ = static_cast<std::int32_t>(size);
        link(parents);
        sort();
        number(groups, similar);
        write_nodes(groups, similar);
        write_groups(groups);
    }

  private:
    // Lists of children, in order.
    void link(const std::int32_t* parents) {
        first_.assign(count_ + 1, -1);
        next_.assign(count_, -1);
        widths_.assign(count_ + 1, 0);
        for (std::int32_t node = count_ - 1; node >= 0; --node) {
            const std::int32_t parent = parents[node];
            if (parent < -1 || parent >= count_) throw std::invalid_argument("a parent outside of its tree");
            const std::int32_t above = parent < 0 ? count_ : parent;  // roots hang on one more node
            next_[node] = first_[above];
            first_[above] = node;
            ++widths_[above];
        }
    }

    // Children before parents and in order; a path takes the place of recursion.
    void sort() {
        order_.clear();
        path_.clear();
        for (std::int32_t node = first_[count_]; node >= 0 || !path_.empty();) {
            if (node >= 0) {
                path_.push_back(node);
                node = first_[node];
            } else {
                order_.push_back(path_.back());
                node = next_[path_.back()];
                path_.pop_back();
            }
        }
        if (static_cast<std::int32_t>(order_.size()) != count_)
            throw std::invalid_argument("parents that go round in a circle");
    }

    // Which nodes are paired, and their numbers.
    void number(const std::int32_t* groups, const std::int32_t* similar) {
        paired_.assign(count_, -1);
        std::int32_t next = 0;
        for (const std::int32_t node : order_) {
            if (groups[node] < 0) throw std::invalid_argument("a group below 0");
            trees_.group_limit_ = std::max(trees_.group_limit_, groups[node] + 1);
            trees_.similar_limit_ = std::max(trees_.similar_limit_, similar[node] + 1);
            if (widths_[node] > 0 || similar[node] >= 0) paired_[node] = next++;
        }
    }

    void write_nodes(const std::int32_t* groups, const std::int32_t* similar) {
        std::int32_t written = 0;
        for (const std::int32_t node : order_) {
            if (paired_[node] < 0) continue;
            PairedNode entry{groups[node], similar[node], written, widths_[node], 0, -1};
            for (std::int32_t child = first_[node]; child >= 0; child = next_[child]) {
                trees_.children_.push_back({groups[child], paired_[child]});
                if (entry.first_paired < 0) entry.first_paired = paired_[child];
            }
            written += widths_[node];
            trees_.nodes_.push_back(entry);
        }
    }

    void write_groups(const std::int32_t* groups) {
        by_group_.resize(count_);
        std::iota(by_group_.begin(), by_group_.end(), 0);
        // Within a group by the order of paired nodes; those that are counted have −1 and stand first.
        std::sort(by_group_.begin(), by_group_.end(), [&](std::int32_t a, std::int32_t b) {
            return groups[a] != groups[b] ? groups[a] < groups[b] : paired_[a] < paired_[b];
        });
        PairedNode* nodes = trees_.nodes_.data() + trees_.begins_.back().nodes;
        std::int32_t members = 0;
        for (std::int32_t i = 0; i < count_;) {
            NodeGroup entry{groups[by_group_[i]], 0, 0.0, members};
            for (; i < count_ && groups[by_group_[i]] == entry.group; ++i) {
                entry.nodes += 1;
                const std::int32_t paired = paired_[by_group_[i]];
                if (paired < 0) continue;
                nodes[paired].rank = entry.paired++;
                trees_.members_.push_back(paired);
                ++members;
            }
            trees_.groups_.push_back(entry);
        }
    }

    KernelTrees& trees_;
    std::int32_t count_ = 0;
    std::vector<std::int32_t> first_, next_, widths_, order_, path_, paired_, by_group_;
};

KernelTrees::KernelTrees(const TreeNodes& nodes) : begins_(1) {
    if (nodes.similar.size() != nodes.groups.size() || nodes.parents.size() != nodes.groups.size())
        throw std::invalid_argument("lists of nodes of different lengths");
    Builder builder(*this);
    std::size_t at = 0;
    for (const std::int64_t size : nodes.sizes) {
        if (size < 0 || size > INT32_MAX - 1 || static_cast<std::size_t>(size) > nodes.groups.size() - at)
            throw std::invalid_argument("sizes of trees do not fit their nodes");
        const auto count = static_cast<std::size_t>(size);
        builder.add(nodes.groups.data() + at, nodes.similar.data() + at, nodes.parents.data() + at, count);
        begins_.push_back({nodes_.size(), children_.size(), groups_.size(), members_.size()});
        at += count;
    }
    if (at != nodes.groups.size()) throw std::invalid_argument("sizes of trees do not fit their nodes");
}

KernelTree KernelTrees::operator[](std::size_t tree) const {
    const Begins& begin = begins_[tree];
    const Begins& end = begins_[tree + 1];
    return {
        {nodes_.data() + begin.nodes, end.nodes - begin.nodes},
        {children_.data() + begin.children, end.children - begin.children},
        {groups_.data() + begin.groups, end.groups - begin.groups},
        {members_.data() + begin.members, end.members - begin.members},
    };
}

}  // namespace adjudge
