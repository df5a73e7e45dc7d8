// One of everything that C++ adds to C.
#include <vector>
#define LIMIT 10

namespace outer { namespace inner { int value; } inline namespace v2 { struct tag {}; } }
namespace outer::deep { enum class color : unsigned char { red, green = 2 }; }
namespace alias = outer::inner;
using namespace outer;
using outer::inner::value;
using size = unsigned long;
typedef struct { int a; } plain;

class base {
public:
    base() = default;
    base(const base &) = delete;
    explicit base(int n) : count(n), names{} { }
    virtual ~base() noexcept;
    virtual int run(int a, int b = 2) const = 0;
    static int total;
    int operator[](int i) const { return i; }
    bool operator==(const base &other) const = default;
    operator bool() const { return count; }
protected:
    int count = 0, *names;
    mutable unsigned flag : 1;
    friend class other;
    friend void show(const base &);
private:
    struct nested { int x; nested(int x) : x(x) {} };
    union { int i; float f; };
};

struct derived final : public base, private virtual outer::tag {
    using base::base;
    int run(int a, int b) const override final { return this->count + a * b; }
    template <class T> T convert(T value) && noexcept(false);
};

int base::total = 1;
base::~base() noexcept { delete[] names; }
template <class T> T derived::convert(T value) && noexcept(false) { return static_cast<T>(value); }

extern "C" { int puts(const char *); }
extern "C++" int printed;

[[nodiscard]] constexpr auto add(auto a, int b) noexcept -> int { return a + b; }
static inline int apply(int (*f)(int), int &&x) { return f(x); }
int sum(std::initializer_list<int> list);
static_assert(sizeof(int) == 4, "size");

int main()
{
    auto lambda = [=, &value, n = LIMIT](int x) mutable -> int { return x + n; };
    auto [first, second] = pair{1, 2};
    for (int x : {1, 2, 3}) value += lambda(x);
    for (auto &&item : items) { item.run(1); }
    try { throw derived{}; } catch (const base &b) { b.run(1, 2); } catch (...) { throw; }
    if (int i = 0; i < 3) { } else if constexpr (true) { }
    if (auto *p = new int[3]{1, 2, 3}) delete[] p;
    derived d(1), *q = new derived(2);
    d.run(1, 2);
    q->base::run(3);
    color c = outer::deep::color::red;
    const char *raw = R"(raw "text")";
    unsigned long big = 1'000'000ull;
    using local = outer::tag;
    local t;
    switch (c) { case outer::deep::color::red: [[fallthrough]]; default: break; }
    while (d <=> d) { continue; }
    return nullptr == q ? reinterpret_cast<int &>(t) : (lambda(2), ::value) + 12_km;
}
